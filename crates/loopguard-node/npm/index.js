// The guards for any Node host: `Guards` is a configuration, `Agent` one agent under it.
'use strict'

const native = require('./native.js')
const { ofText, ofValue } = require('./arguments.js')

const NOTHING = Object.freeze([])

/** How a call ended, as the native module takes it. */
const HOW = Object.freeze({ success: 0, failure: 1, denied: 2, cancelled: 3 })
/** The arguments have lost digits. */
const INEXACT = 4
/** Nothing can be said now. */
const HOLD = 8
/** A call that belongs to no step. */
const NO_STEP = -1

/** A configuration, checked when it is made, and the agents that live under it. */
class Guards {
  #native
  #onError
  #byObject = new WeakMap()
  #byName = new Map()
  #made = 0

  /**
   * @param rows the rows of a configuration; none: all three guards with the originals' values.
   * @throws with everything that is wrong with the rows, each with its place and remedy.
   */
  constructor(rows = [], { file = 'configuration', preset, onError = warn } = {}) {
    this.#native = new native.Guards(file, JSON.stringify(rows), preset)
    this.#onError = onError
  }

  /** The ids of the guards, in their order: the labels of what they say. */
  get ids() {
    return this.#native.ids
  }

  /** What is allowed in the configuration but hardly meant. */
  get warnings() {
    return this.#native.warnings
  }

  /** How many agents are watched. */
  get agents() {
    return this.#native.agents
  }

  /** Whether the guards only count calls: then `tell`, once a call has ended, says it all. */
  get onlyCountCalls() {
    return this.#native.onlyCountsCalls
  }

  /**
   * The guards of one agent. An object is held weakly, and its state goes with it; a name is held
   * until `end`.
   */
  agent(key) {
    const agents = typeof key === 'string' ? this.#byName : this.#byObject
    let agent = agents.get(key)
    if (agent === undefined) {
      this.#made += 1
      agent = new Agent(this.#native.session(`agent ${this.#made}`), this.#onError)
      agents.set(key, agent)
    }
    return agent
  }

  /** An agent is gone, and its state with it: the same name later is a new agent. */
  end(key) {
    const agents = typeof key === 'string' ? this.#byName : this.#byObject
    agents.delete(key)
  }
}

/** The guards of one agent. What fails inside is reported, and the call goes through. */
class Agent {
  #native
  /** What the native module knows the agent by, for as long as `#native` lives. */
  #number
  #onError

  /** Made by `Guards`. */
  constructor(session, onError) {
    this.#native = session
    this.#number = session.number
    this.#onError = onError
  }

  /**
   * Asks before a call runs. `text` is the arguments as the model wrote them; who only has them
   * parsed gives `value`.
   */
  submit({ tool, text, value, step = NO_STEP, at = Date.now() }) {
    try {
      const given = text === undefined ? ofValue(value) : { text: ofText(text), inexact: false }
      const how = given.inexact ? INEXACT : 0
      const answer = native.submit(this.#number, tool, given.text, how, step, at)
      if (typeof answer === 'number') return { admitted: true, call: answer }
      const { denial, further, halt } = JSON.parse(answer)
      return { admitted: false, reason: denial.reason, denial, further, halt }
    } catch (error) {
      this.#onError(error)
      return { admitted: true, call: 0 }
    }
  }

  /**
   * Tells how an admitted call ended, and takes what the guards say. With `hold`, because nothing
   * can be delivered now, that waits for the next time.
   */
  finish(call, { status = 'success', message, texts = NOTHING, at = Date.now(), hold = false } = {}) {
    try {
      const how = HOW[status] | (hold ? HOLD : 0)
      // One text costs less than a list of one.
      const more = texts.length > 1 ? texts.slice(1) : undefined
      return notices(native.finish(this.#number, call, how, at, message, texts[0], more))
    } catch (error) {
      this.#onError(error)
      return NOTHING
    }
  }

  /**
   * Tells of a call that has ended, however it has, in place of `submit` and `finish`: for guards
   * that only count calls. `at` is when it was submitted.
   */
  tell({ tool, text, value, step = NO_STEP, at }, hold = false) {
    try {
      let how = hold ? HOLD : 0
      if (text === undefined) {
        const given = ofValue(value)
        text = given.text
        if (given.inexact) how |= INEXACT
      } else {
        text = ofText(text)
      }
      const now = Date.now()
      return notices(native.tell(this.#number, tool, text, how, step, at ?? now, now))
    } catch (error) {
      this.#onError(error)
      return NOTHING
    }
  }

  /** Hands in the messages of the next step, as one batch. */
  messages(batch, at = Date.now()) {
    try {
      this.#native.messages(JSON.stringify(batch.map(wellFormed)), at)
    } catch (error) {
      this.#onError(error)
    }
  }

  /** Takes what waits to be said: after a refusal, and after messages. */
  takeNotices() {
    try {
      return notices(this.#native.takeNotices())
    } catch (error) {
      this.#onError(error)
      return NOTHING
    }
  }

  /** The history was compacted, which changes nothing in any guard. */
  compacted(at = Date.now()) {
    this.#native.compacted(at)
  }

  /** The conversation was cleared: as if a person had spoken. */
  reset(at = Date.now()) {
    this.#native.reset(at)
  }

  /** Forgets what is held against one call: the user allows it again. */
  pardon({ tool, text, value }) {
    this.#native.pardon(tool, text === undefined ? ofValue(value).text : ofText(text))
  }

  /** The state as text, for `restore` in another process. */
  save() {
    return this.#native.save()
  }

  /**
   * Goes on from a saved state. The answer names the guards that start afresh all the same.
   *
   * @throws where the text is no state of this version; nothing has changed then.
   */
  restore(saved) {
    return this.#native.restore(saved)
  }
}

function notices(text) {
  return text == null ? NOTHING : JSON.parse(text)
}

/** A message whose texts can be written as JSON that every parser reads. */
function wellFormed({ id, kind, plugin, form, texts }) {
  return { id, kind, plugin, form, texts: texts.map((text) => text.toWellFormed()) }
}

function warn(error) {
  process.emitWarning(`a loop guard failed, and lets calls through: ${error}`, 'LoopguardWarning')
}

module.exports = { Guards, Agent }
