// The arguments of calls as the model wrote them: the harness hands on what it has parsed, and
// parsing has rounded integers beyond 2^53. The session's log still holds the text.
'use strict'

/** More steps than a turn has, so that (turn, step) is one number that never comes again. */
const STEPS_OF_A_TURN = 2 ** 20

/** Follows the log of every session, for the calls of its current step. */
class ArgumentTexts {
  #steps = new WeakMap()

  /** Listens for as long as the context lives. */
  constructor(ctx) {
    ctx.on('session/event', (session, event) => {
      if (event.type === 'tool/call') this.#note(session, event)
    })
  }

  #note(session, event) {
    const number = event.data.turn * STEPS_OF_A_TURN + event.data.step
    const step = this.#steps.get(session)
    if (step === undefined) {
      this.#steps.set(session, { number, calls: [event] })
    } else if (step.number === number) {
      step.calls.push(event)
    } else {
      step.number = number
      step.calls = [event]
    }
  }

  /**
   * The call as the guards take it: with the model's own text where the log has it, and else (a
   * call that a program made, say) with the parsed value.
   */
  of(exec) {
    const step = exec.parent === undefined ? this.#steps.get(exec.agent.session) : undefined
    const logged = step?.calls.findLast(({ data }) => data.callId === exec.callId)
    if (logged === undefined || logged.data.name !== exec.name || typeof logged.data.arguments !== 'string') {
      return { tool: exec.name, value: exec.arguments }
    }
    return { tool: exec.name, text: logged.data.arguments, step: step.number, at: logged.time }
  }
}

module.exports = { ArgumentTexts }
