// Random transcripts through both reminders at once: the same words in the same places.
//
// Left out are the values where ours departs on purpose, which `deviations.test.mjs` shows.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as published from '@deepseek-ai/dsh-repeat-tool-reminder'
import reminder from 'loopguard-node/repeat-reminder'

import { ours, theirs } from './support/beside.mjs'
import { mount } from './support/harness.mjs'
import { Random, randomConfig, randomTranscript } from './support/random.mjs'

const SEED = Number(process.env.LOOPGUARD_SEED ?? 1)
const TRANSCRIPTS = Number(process.env.LOOPGUARD_TRANSCRIPTS ?? 2000)
/** How many transcripts share one harness and one configuration. */
const TOGETHER = 20
/** Agents that are on their way at the same time. */
const AGENTS = 3

/** What other plugins of the harness do to calls. */
const others = {
  name: 'others',
  inject: ['tools'],
  apply(ctx) {
    ctx.on('tools/pre-execute', async (exec, next) => {
      const decision = await next()
      return exec.name === 'denied' ? { kind: 'deny', reason: 'not here' } : decision
    })
    ctx.tools.guard((exec) => (exec.name === 'guarded' ? 'not now' : undefined))
    ctx.on('tools/post-execute', async (exec, _, next) => {
      const decision = await next()
      if (exec.name !== 'blocked') return decision
      const { additionalContexts = [] } = decision
      return { kind: 'block', feedback: [{ type: 'text', text: 'too early' }], additionalContexts }
    })
  },
}

test(`${TRANSCRIPTS} random transcripts, seed ${SEED}`, async () => {
  let calls = 0
  let reminders = 0
  for (let batch = 0; batch * TOGETHER < TRANSCRIPTS; batch += 1) {
    const random = new Random(SEED * 1_000_003 + batch)
    const config = randomConfig(random)
    // Guards that may refuse go another way through the pipeline, and have to say the same.
    const asked = random.chance(0.5) ? { ...config, denyAt: 1_000_000 } : config
    const plugins = random.shuffled([[published, config], [reminder, asked], others])
    const harness = await mount(...plugins)
    const transcripts = Array.from({ length: TOGETHER }, () => randomTranscript(random))
    while (transcripts.length > 0) {
      const group = transcripts.splice(0, AGENTS)
      await Promise.all(
        group.map(async (transcript) => {
          const agent = harness.agent()
          for (const { source, steps } of transcript) {
            const said = await agent.turn(steps, { source })
            const where = JSON.stringify({ seed: SEED, batch, config, transcript })
            assert.deepEqual(ours(said), theirs(said), where)
            calls += said.results.length
            reminders += ours(said).length
          }
        }),
      )
    }
    await harness.ctx.fiber.dispose()
  }
  // Neither side may have been silent for want of repetition.
  assert.ok(reminders > calls / 50, `${reminders} reminders in ${calls} calls`)
  console.log(`${calls} calls, ${reminders} reminders`)
})
