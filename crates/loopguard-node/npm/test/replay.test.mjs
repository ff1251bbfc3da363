// Random sessions of the real loop with all guards on: a replay of the log says what was said live.
//
// Left out are refusals by others, which the log does not tell from failures.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

import brake from 'loopguard-node/brake'
import breaker from 'loopguard-node/circuit-breaker'
import reminder from 'loopguard-node/repeat-reminder'
import set from 'loopguard-node/set'

import { mount } from './support/harness.mjs'
import { Random, randomTranscript } from './support/random.mjs'
import { replayed } from './support/replay.mjs'

const SEED = Number(process.env.LOOPGUARD_SEED ?? 1)
const CONFIGURATIONS = 12
const SESSIONS = 25
const GUARDS = ['repeat-tool-guard', 'dsh-brake', 'tool-failure-circuit-breaker']
const UNKNOWN_TO_A_LOG = ['denied', 'guarded']

/** Keys that say much in few calls. */
function randomRows(random) {
  const flags = () => ({ resultAware: random.chance(0.5), stepAware: random.chance(0.5) })
  return [
    { name: 'repeat-reminder', config: { thresholds: [2, 3, 5], ...flags() } },
    {
      name: 'brake',
      config: {
        mode: random.pick(['remind', 'deny']),
        callWarnCount: 3,
        callDenyCount: 5,
        callReWarnEvery: 2,
        sequenceLength: 2,
        sequenceCount: 2,
        minimumDuplicateChars: 5,
        ...flags(),
      },
    },
    { name: 'circuit-breaker', config: { maxFailures: random.pick([1, 2, 3]), chains: random.pick([1, 4]) } },
  ]
}

/** The three plugins, or the set with the same rows. */
function plugins(random, rows) {
  if (random.chance(0.5)) return [[set, { rows }]]
  return [reminder, brake, breaker].map((plugin, at) => [plugin, rows[at].config])
}

/** Keeps the reason of every call that is denied. */
function spy(denials) {
  const listen = async (exec, next) => {
    const decision = await next()
    if (decision.kind === 'deny') denials.push(`${exec.callId}: ${decision.reason}`)
    return decision
  }
  return { name: 'spy', apply: (ctx) => void ctx.on('tools/pre-execute', listen, { prepend: true }) }
}

const blocks = {
  name: 'blocks',
  apply: (ctx) =>
    void ctx.on('tools/post-execute', async (exec, result, next) => {
      const decision = await next()
      if (exec.name !== 'blocked' || result.isError) return decision
      return { ...decision, kind: 'block', feedback: [{ type: 'text', text: 'too early' }] }
    }),
}

/** Plays one session, and writes its log. What was said in it comes back, in an order of its own. */
async function record(harness, denials, transcript, folder) {
  const agent = harness.agent()
  denials.length = 0
  const notices = []
  for (const { source, steps } of transcript) {
    const said = await agent.turn(steps, { source, text: 'one and the same prompt' })
    const ours = said.notices.filter(({ plugin }) => GUARDS.includes(plugin))
    notices.push(...ours.map(({ plugin, text }) => `${plugin}: ${text}`))
  }
  const { header, id, events } = agent.live.session
  const lines = [{ type: 'session', ...header }, ...events].map((line) => JSON.stringify(line))
  const file = join(folder, `${id}.jsonl`)
  await writeFile(file, lines.join('\n'))
  return { file, denials: [...denials], notices: notices.sort() }
}

test(`a replay says what was said live, seed ${SEED}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loopguard-replay-'))
  let count = 0
  for (let number = 0; number < CONFIGURATIONS; number += 1) {
    const random = new Random(SEED * 1_000_003 + number)
    const rows = randomRows(random)
    const config = join(folder, 'rows.json')
    await writeFile(config, JSON.stringify(rows))
    const denials = []
    const harness = await mount(...plugins(random, rows), blocks, spy(denials))
    for (let session = 0; session < SESSIONS; session += 1) {
      const transcript = randomTranscript(random, UNKNOWN_TO_A_LOG)
      const live = await record(harness, denials, transcript, folder)
      const decisions = await replayed(live.file, '--config', config)
      const of = (action) => decisions.filter((decision) => decision.action === action)
      const where = JSON.stringify({ seed: SEED, number, session, rows, transcript })
      assert.deepEqual(of('deny').map(({ call, message }) => `${call}: ${message}`), live.denials, where)
      assert.deepEqual(of('notice').map(({ guard, message }) => `${guard}: ${message}`).sort(), live.notices, where)
      count += decisions.length
    }
    await harness.ctx.fiber.dispose()
  }
  await rm(folder, { recursive: true })
  assert.ok(count > CONFIGURATIONS * SESSIONS, `${count} decisions are too few to tell anything`)
})
