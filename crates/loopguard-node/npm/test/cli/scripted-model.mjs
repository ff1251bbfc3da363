// A plugin of the harness: a model that says what the file in LOOPGUARD_SCRIPT says.
import { readFileSync } from 'node:fs'

export const name = 'scripted-model'
export const inject = ['llm']

export function apply(ctx) {
  const steps = JSON.parse(readFileSync(process.env.LOOPGUARD_SCRIPT, 'utf8'))
  ctx.llm.registerAdapter(['scripted'], {
    providerInfo: (id) => ({ id, name: id }),
    providerRetryPolicy: () => undefined,
    listModels: async () => [],
    resolveModel: async (provider, id) => ({ provider, id, name: id }),
    async *stream({ tools }) {
      // A request without tools asks for a title.
      const step = tools ? steps.shift() : undefined
      yield* step ? calling(step) : saying('finished')
    },
  })
}

let calls = 0

function* calling(step) {
  for (const [index, [tool, argumentsDelta]] of step.entries()) {
    const id = `call-${(calls += 1)}`
    yield { type: 'block-start', index, blockType: 'tool-call' }
    yield { type: 'tool-call-delta', index, id, name: tool, argumentsDelta }
    yield { type: 'block-end', index, block: { type: 'tool-call', id, name: tool, arguments: argumentsDelta } }
  }
  yield { type: 'finish', reason: { kind: 'tool-calls' } }
}

function* saying(text) {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  yield { type: 'text-delta', index: 0, text }
  yield { type: 'block-end', index: 0, block: { type: 'text', text } }
  yield { type: 'finish', reason: { kind: 'stop' } }
}
