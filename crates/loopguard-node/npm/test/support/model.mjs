// A model that says what its script says.
import { LlmAdapter } from '@deepseek-ai/dsh-llm'

import { caller, saying } from './chunks.mjs'

export class Model extends LlmAdapter {
  #scripts = new Map()
  #requests = new Map()
  #calling = caller()

  /** What the agent of this session says next: steps of calls, then a text. */
  script(sessionId, steps) {
    this.#scripts.set(sessionId, [...steps])
  }

  /** The messages of the latest request of this session. */
  lastRequest(sessionId) {
    return this.#requests.get(sessionId)
  }

  providerInfo(id) {
    return { id, name: id }
  }

  async *stream({ sessionId, messages }) {
    this.#requests.set(sessionId, messages)
    const step = this.#scripts.get(sessionId)?.shift()
    yield* step?.length ? this.#calling(step) : saying('done')
  }
}
