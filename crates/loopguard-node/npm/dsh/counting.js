// Calls, for guards that only count them: they refuse none and do not mind how one ends, so each
// call crosses into the native module once.
'use strict'

const { withNotices } = require('./messages.js')
const { OUTERMOST } = require('./order.js')

/** The guards behind every call. Whatever fails here, the result stays as it is. */
class Counting {
  #guards
  #texts
  #report
  /** The calls that were told of, until the harness is done with them. */
  #told = new Set()

  constructor(guards, texts, report) {
    this.#guards = guards
    this.#texts = texts
    this.#report = report
  }

  /** Registers the listeners. They end with the context. */
  listen(ctx) {
    ctx.on('tools/post-execute', (exec, _, next) => this.#after(exec, next), OUTERMOST)
    ctx.on('tools/result', (exec) => this.#ended(exec))
  }

  async #after(exec, next) {
    // A listener that throws takes the contexts with it: so nothing is said before all are done.
    const decision = await next()
    if (exec.agent === undefined) return decision
    this.#told.add(exec)
    return withNotices(decision, this.#tell(exec, false))
  }

  /** A call whose pipeline broke never came to `#after`: what is to be said of it waits. */
  #ended(exec) {
    if (!this.#told.delete(exec) && exec.agent !== undefined) this.#tell(exec, true)
  }

  #tell(exec, hold) {
    try {
      return this.#guards.agent(exec.agent).tell(this.#texts.of(exec), hold)
    } catch (error) {
      this.#report(error)
      return []
    }
  }
}

module.exports = { Counting }
