// A model that says what its script says.
import { LlmAdapter } from '@deepseek-ai/dsh-llm'

export class Model extends LlmAdapter {
  #scripts = new Map()
  #requests = new Map()
  #calls = 0

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

  *#calling(step) {
    for (const [index, [name, argumentsDelta]] of step.entries()) {
      const id = `call-${(this.#calls += 1)}`
      yield { type: 'block-start', index, blockType: 'tool-call' }
      yield { type: 'tool-call-delta', index, id, name, argumentsDelta }
      yield { type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: argumentsDelta } }
    }
    yield { type: 'finish', reason: { kind: 'tool-calls' } }
  }
}

function* saying(text) {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  yield { type: 'text-delta', index: 0, text }
  yield { type: 'block-end', index: 0, block: { type: 'text', text } }
  yield { type: 'finish', reason: { kind: 'stop' } }
}
