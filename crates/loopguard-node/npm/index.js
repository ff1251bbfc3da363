// The guards for any Node host: `Guards` is a configuration, `Agent` one agent under it.
'use strict'

const native = require('./native.js')
const { ofText, ofValue } = require('./arguments.js')

const NOTHING = Object.freeze([])

/** A configuration, checked when it is made, and the agents that live under it. */
class Guards {
  #native
  #onError
  #byObject = new WeakMap()
  #byName = new Map()
  #agents = 0

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

  /**
   * The guards of one agent. An object is held weakly, and its state goes with it; a name is held
   * until `end`.
   */
  agent(key) {
    const agents = typeof key === 'string' ? this.#byName : this.#byObject
    let agent = agents.get(key)
    if (agent === undefined) {
      this.#agents += 1
      agent = new Agent(this.#native.session(`agent ${this.#agents}`), this.#onError)
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
  #onError

  /** Made by `Guards`. */
  constructor(session, onError) {
    this.#native = session
    this.#onError = onError
  }

  /**
   * Asks before a call runs. `text` is the arguments as the model wrote them; who only has them
   * parsed gives `value`.
   */
  submit({ tool, text, value, step, at = Date.now() }) {
    try {
      const given = text === undefined ? ofValue(value) : { text: ofText(text), inexact: false }
      const answer = this.#native.submit(tool, given.text, given.inexact, at, step)
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
  finish(call, ending = {}) {
    const { status = 'success', message, texts = NOTHING, at = Date.now(), hold = false } = ending
    try {
      return notices(this.#native.finish(call, status, message, texts, at, hold))
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
