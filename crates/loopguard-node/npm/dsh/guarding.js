// Calls, from before they run to their final outcome.
'use strict'

const { endingOf } = require('./ending.js')
const { withNotices } = require('./messages.js')
const { OUTERMOST } = require('./order.js')

/** The decision about a result where nobody had anything to decide. */
const ACCEPTED = Object.freeze({ kind: 'accept' })

/** The guards before and behind every call. Whatever fails here, the call goes through. */
class Guarding {
  #guards
  #texts
  #report
  /** The calls on their way, by the harness's own object for each. */
  #calls = new Map()

  constructor(guards, texts, report) {
    this.#guards = guards
    this.#texts = texts
    this.#report = report
  }

  /** Registers the listeners. They end with the context. */
  listen(ctx) {
    ctx.on('tools/pre-execute', (exec, next) => this.#before(exec, next), OUTERMOST)
    ctx.on('tools/execute', (exec, next) => this.#dispatched(exec, next), OUTERMOST)
    ctx.on('tools/post-execute', (exec, result, next) => this.#after(exec, result, next), OUTERMOST)
    ctx.on('tools/result', (exec, result) => this.#ended(exec, result))
  }

  #before(exec, next) {
    if (exec.agent === undefined) return next()
    const answer = this.#attempt(() => this.#submit(exec).answer)
    if (answer === undefined || answer.admitted) return next()
    if (answer.halt) this.#attempt(() => exec.agent.cancel({ kind: 'hook', reason: answer.halt.reason }))
    return deny(answer.reason, next)
  }

  #dispatched(exec, next) {
    const call = this.#calls.get(exec)
    if (call !== undefined) call.ran = true
    return next()
  }

  async #after(exec, result, next) {
    const decision = await next()
    if (exec.agent === undefined) return decision
    const notices = this.#attempt(() => {
      // A listener outside of ours may have denied the call before we were asked.
      const call = this.#calls.get(exec) ?? this.#submit(exec)
      return this.#finish(exec, call, endingOf(result, decision, call.ran))
    })
    return notices === undefined ? decision : withNotices(decision, notices)
  }

  /** A call whose pipeline broke never came to `#after`: what is to be said of it waits. */
  #ended(exec, result) {
    if (exec.agent === undefined) return
    const known = this.#calls.get(exec)
    if (!known?.over) {
      this.#attempt(() => {
        const ending = { ...endingOf(result, ACCEPTED, true), hold: true }
        this.#finish(exec, known ?? this.#submit(exec), ending)
      })
    }
    // The harness is done with the call.
    this.#calls.delete(exec)
  }

  #submit(exec) {
    const answer = this.#guards.agent(exec.agent).submit(this.#texts.of(exec))
    const call = { answer, ran: false, over: false }
    this.#calls.set(exec, call)
    return call
  }

  /** Tells how a call ended. One that the guards have refused was over when they did. */
  #finish(exec, call, ending) {
    call.over = true
    const agent = this.#guards.agent(exec.agent)
    if (call.answer.admitted) return agent.finish(call.answer.call, ending)
    return ending.hold ? [] : agent.takeNotices()
  }

  #attempt(work) {
    try {
      return work()
    } catch (error) {
      this.#report(error)
      return undefined
    }
  }
}

/** Guards never overrule one another: who was inside of this one and denies, keeps the word. */
async function deny(reason, next) {
  const theirs = await next()
  return theirs.kind === 'deny' ? theirs : { kind: 'deny', reason }
}

module.exports = { Guarding }
