// A plugin of the harness: a model that says what the file in LOOPGUARD_SCRIPT says.
import { readFileSync } from 'node:fs'

import { caller, saying } from '../support/chunks.mjs'

export const name = 'scripted-model'
export const inject = ['llm']

export function apply(ctx) {
  const steps = JSON.parse(readFileSync(process.env.LOOPGUARD_SCRIPT, 'utf8'))
  const calling = caller()
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
