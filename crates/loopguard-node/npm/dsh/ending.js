// How a call ended, as the guards are told: from its result and from what the listeners behind
// this plugin have made of it.
'use strict'

/**
 * @param result what the tool or the pipeline gave.
 * @param decision what the other listeners decided about it.
 * @param ran whether the call was dispatched to its tool; if not, it was refused.
 */
function endingOf(result, decision, ran) {
  const code = result.isError ? (result.error.info?.code ?? '') : undefined
  if (code?.startsWith('ABORTED')) return { status: 'cancelled' }
  if (code !== undefined && (!ran || isRefusal(code))) return { status: 'denied' }
  if (decision.kind === 'block') {
    const texts = textsOf(decision.feedback)
    return { status: 'failure', message: texts.join('\n'), texts }
  }
  const texts = textsOf(decision.content ?? result.content)
  if (code === undefined) return { status: 'success', texts }
  return { status: 'failure', message: result.error.message, texts }
}

/** The code with which a tool says that it was not allowed to run. */
function isRefusal(code) {
  return code === 'DENIED' || code.endsWith('_DENIED')
}

/** The text blocks of a content. */
function textsOf(content) {
  return content.filter((block) => block.type === 'text').map((block) => block.text)
}

module.exports = { endingOf, textsOf }
