// Messages: what the guards hear of them, and what they have to say there.
'use strict'

const { incoming, isHuman, ofNotice } = require('./messages.js')
const { OUTERMOST } = require('./order.js')

/** The guards at the beginning of each step. Whatever fails here, the step goes on. */
class Hearing {
  #guards
  #report

  constructor(guards, report) {
    this.#guards = guards
    this.#report = report
  }

  /** Registers the listener. It ends with the context. */
  listen(ctx) {
    ctx.on('agent/pre-step', (step, next) => this.#step(step, next), OUTERMOST)
  }

  async #step({ agent, messages }, next) {
    let decision
    try {
      decision = await next()
    } finally {
      const entering = decision?.kind === 'enter' ? decision.messages : []
      // What a person said counts, whatever others made of it.
      const unheard = messages.filter((message) => isHuman(message) && !entering.includes(message))
      this.#hear(agent, [...unheard, ...entering])
    }
    // Where nothing enters, the turn may be over: a notice would begin another step.
    if (decision.kind !== 'enter' || decision.messages.length === 0) return decision
    const said = this.#said(agent)
    return said.length === 0 ? decision : { ...decision, messages: [...decision.messages, ...said] }
  }

  #hear(agent, messages) {
    if (messages.length === 0) return
    try {
      this.#guards.agent(agent).messages(messages.map(incoming))
    } catch (error) {
      this.#report(error)
    }
  }

  #said(agent) {
    try {
      return this.#guards.agent(agent).takeNotices().map(ofNotice)
    } catch (error) {
      this.#report(error)
      return []
    }
  }
}

module.exports = { Hearing }
