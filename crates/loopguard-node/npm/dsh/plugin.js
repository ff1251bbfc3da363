// Guards as a plugin of the DeepSeek Harness: what the harness's events mean to them.
'use strict'

const { Guards } = require('../index.js')
const { ArgumentTexts } = require('./argument-texts.js')
const { endingOf } = require('./ending.js')
const { incoming, isHuman, ofNotice, withNotices } = require('./messages.js')

/**
 * Outside of all other listeners, so that what a call is said to have ended with is the final
 * word. Of several rows of ours, the last is then the outermost.
 */
const OUTERMOST = { prepend: true }

/** The decision about a result where nobody had anything to decide. */
const ACCEPTED = { kind: 'accept' }

/**
 * Makes a plugin.
 *
 * @param module the module's name, as a row of a profile gives it: for messages.
 * @param defaultId the id of the guard where its row in the profile is not known.
 * @param rowsOf the guards' rows, from the plugin's configuration and the row's id.
 */
function plugin(module, defaultId, rowsOf) {
  const apply = (ctx, config) => {
    const id = ctx.fiber?.entry?.options?.id ?? defaultId
    const report = reporter(ctx, module)
    // Throws where the configuration is wrong, and so refuses to load.
    const guards = new Guards(rowsOf(config ?? {}, id), { file: module, onError: report })
    guards.warnings.forEach((warning) => log(ctx, warning))
    new Listeners(ctx, guards, report).listen(ctx)
  }
  return { name: module, apply }
}

/** The guards in the harness's pipeline. Whatever fails here, the call goes through. */
class Listeners {
  #guards
  #texts
  #report
  /** The calls on their way, by the harness's own object for each. */
  #calls = new WeakMap()

  constructor(ctx, guards, report) {
    this.#guards = guards
    this.#texts = new ArgumentTexts(ctx)
    this.#report = report
  }

  /** Registers everything. It ends with the context. */
  listen(ctx) {
    ctx.on('tools/pre-execute', (exec, next) => this.#before(exec, next), OUTERMOST)
    ctx.on('tools/execute', (exec, next) => this.#dispatched(exec, next), OUTERMOST)
    ctx.on('tools/post-execute', (exec, result, next) => this.#after(exec, result, next), OUTERMOST)
    ctx.on('tools/result', (exec, result) => this.#ended(exec, result))
    ctx.on('agent/pre-step', (step, next) => this.#step(step, next), OUTERMOST)
  }

  #before(exec, next) {
    const answer = exec.agent && this.#attempt(() => this.#submit(exec).answer)
    if (!answer || answer.admitted) return next()
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
    if (!exec.agent) return decision
    const notices = this.#attempt(() => {
      // A listener outside of ours may have denied the call before we were asked.
      const call = this.#calls.get(exec) ?? this.#submit(exec)
      return this.#finish(exec, call, endingOf(result, decision, call.ran))
    })
    return notices === undefined ? decision : withNotices(decision, notices)
  }

  /** A call whose pipeline broke never came to `#after`: what is to be said of it waits. */
  #ended(exec, result) {
    const call = this.#calls.get(exec)
    if (!exec.agent || call?.over) return
    this.#attempt(() => {
      const ending = { ...endingOf(result, ACCEPTED, true), hold: true }
      this.#finish(exec, call ?? this.#submit(exec), ending)
    })
  }

  async #step({ agent, messages }, next) {
    let decision
    try {
      decision = await next()
    } finally {
      const entering = decision?.kind === 'enter' ? decision.messages : []
      // What a person said counts, whatever others made of it.
      const unheard = messages.filter((message) => isHuman(message) && !entering.includes(message))
      this.#attempt(() => this.#hear(agent, [...unheard, ...entering]))
    }
    // Where nothing enters, the turn may be over: a notice would begin another step.
    if (decision.kind !== 'enter' || decision.messages.length === 0) return decision
    const notices = this.#attempt(() => this.#guards.agent(agent).takeNotices())
    if (!notices?.length) return decision
    return { ...decision, messages: [...decision.messages, ...notices.map(ofNotice)] }
  }

  #hear(agent, messages) {
    if (messages.length > 0) this.#guards.agent(agent).messages(messages.map(incoming))
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

/** Reports the first failure of a plugin; what fails once fails with every call. */
function reporter(ctx, module) {
  let reported = false
  return (error) => {
    if (!reported) log(ctx, `${module} failed, and lets calls through: ${error}`)
    reported = true
  }
}

function log(ctx, text) {
  try {
    ctx.logger.warn(text)
  } catch {
    process.emitWarning(text, 'LoopguardWarning')
  }
}

module.exports = { plugin }
