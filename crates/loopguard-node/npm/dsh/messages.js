// Messages in both directions: those that the harness hands to a step, and ours.
'use strict'

const { randomUUID } = require('node:crypto')

const { textsOf } = require('./ending.js')

/** The messages that plugins of this package have made. */
const ours = new WeakSet()

/** A message of the harness, as the guards take it. Only a person's is of the kind `user`. */
function incoming({ id, source, content }) {
  return { id, kind: source.kind, plugin: source.plugin, form: source.form, texts: textsOf(content) }
}

/** Whether a person wrote it. */
function isHuman(message) {
  return message.source.kind === 'user'
}

/** What a guard says, as a message of the harness. */
function ofNotice({ guard, text, summary }) {
  const message = {
    id: randomUUID(),
    role: 'user',
    content: [{ type: 'text', text }],
    source: { kind: 'plugin', plugin: guard, form: 'notice', summary },
  }
  ours.add(message)
  return message
}

/**
 * A decision of post-execute with our notices in front of the contexts that it carries, but behind
 * those of our rows before this one. All else in it stays.
 */
function withNotices(decision, notices) {
  if (notices.length === 0) return decision
  const theirs = decision.additionalContexts ?? []
  const before = theirs.findIndex((context) => !ours.has(context))
  const at = before < 0 ? theirs.length : before
  const additionalContexts = theirs.toSpliced(at, 0, ...notices.map(ofNotice))
  return { ...decision, additionalContexts }
}

module.exports = { incoming, isHuman, ofNotice, withNotices }
