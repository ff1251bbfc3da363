// The reminder beside the published one, in the real agent loop.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as published from '@deepseek-ai/dsh-repeat-tool-reminder'
import reminder from 'loopguard-node/repeat-reminder'

import { ours, theirs } from './support/beside.mjs'
import { mount } from './support/harness.mjs'

const READ = ['read', '{"path":"a"}']
const OTHER = ['read', '{"path":"b"}']
const TODO = ['todo', '{}']

/** Both reminders under the same configuration. */
const both = (config = {}) => mount([published, config], [reminder, config])

/** Both said the same in the same places: `places`, if given. */
function assertSame(said, places) {
  assert.deepEqual(ours(said), theirs(said))
  if (places) assert.deepEqual(said.of('repeat-tool-guard'), places)
}

const steps = (...calls) => calls.map((call) => [call])
const times = (count, call) => steps(...Array(count).fill(call))

test('gentle at three, detailed at five and eight, silent past that', async () => {
  const agent = (await both()).agent()
  const said = await agent.turn(times(12, READ))
  assertSame(said, ['3: read × 3', '5: read × 5', '8: read × 8'])
  const [first, second, third] = ours(said)
  assert.match(first.text, /^You are repeating the exact same tool call/)
  assert.match(second.text, /^Repeated tool call detected:\n- tool: read\n- consecutive_calls: 5\n/)
  assert.match(third.text, /- arguments: \{"path":"a"\}\n/)
})

test('the model reads the reminder behind the result, which stays as it was', async () => {
  const agent = (await mount(reminder)).agent()
  const said = await agent.turn(times(3, READ))
  assert.deepEqual(said.results.at(-1), { text: 'contents', isError: false })
  const [result, notice] = said.request.slice(-2)
  assert.equal(result.content[0].type, 'tool-result')
  assert.match(notice.content[0].text, /^You are repeating/)
  const source = { kind: 'plugin', plugin: 'repeat-tool-guard', form: 'notice', summary: 'read × 3' }
  assert.deepEqual(notice.source, source)
})

test('keys in another order and another spelling are the same call', async () => {
  const agent = (await both()).agent()
  const spellings = ['{"path":"a","n":1}', '{ "n": 1.0, "path": "\\u0061" }', '{"n":1e0,"path":"a"}']
  assertSame(await agent.turn(steps(...spellings.map((text) => ['read', text]))), ['3: read × 3'])
})

test('an excluded call is transparent: it neither counts nor resets', async () => {
  const agent = (await both({ exclude: ['to*'] })).agent()
  const said = await agent.turn(steps(READ, TODO, TODO, READ, TODO, READ, TODO, TODO, TODO))
  assertSame(said, ['6: read × 3'])
})

test('a call that is not included is transparent, and exclude wins', async () => {
  const config = { include: ['*'], exclude: ['todo'], thresholds: [2] }
  const agent = (await both(config)).agent()
  assertSame(await agent.turn(steps(READ, TODO, READ, TODO, TODO)), ['3: read × 2'])
})

test('own thresholds, in any order, and a cap on the quoted arguments', async () => {
  const agent = (await both({ thresholds: [4, 2], argumentsPreviewChars: 5 })).agent()
  const said = await agent.turn(times(5, READ))
  assertSame(said, ['2: read × 2', '4: read × 4'])
  assert.match(ours(said)[1].text, /- arguments: \{"pat… \(\+7 more chars\)\n/)
})

test('another call starts the run anew', async () => {
  const agent = (await both()).agent()
  assertSame(await agent.turn(steps(READ, READ, OTHER, READ, READ, READ)), ['6: read × 3'])
})

test('failed calls and unknown tools count', async () => {
  const agent = (await both()).agent()
  assertSame(await agent.turn(times(3, ['fails', '{}'])), ['3: fails × 3'])
  assertSame(await agent.turn(times(3, ['nowhere', '{}'])), ['3: nowhere × 3'])
})

test('malformed arguments are the same call as the string of that text', async () => {
  const agent = (await both({ thresholds: [2] })).agent()
  assertSame(await agent.turn(steps(['read', '{"path":'], ['read', '{"path":'])), ['2: read × 2'])
  assertSame(await agent.turn(steps(['read', 'plain'], ['read', '"plain"'])), ['2: read × 2'])
  assertSame(await agent.turn(steps(['read', ''], ['read', '{}'])), ['2: read × 2'])
})

test('lone surrogates survive, raw and escaped', async () => {
  const agent = (await both({ thresholds: [2, 3] })).agent()
  const raw = steps(['read', '{"a":"\ud800"}'], ['read', '{"a":"\\ud800"}'], ['read', '{"a":"\ud800"}'])
  const said = await agent.turn(raw)
  assertSame(said, ['2: read × 2', '3: read × 3'])
  assert.match(ours(said)[1].text, /- arguments: \{"a":"\\ud800"\}\n/)
  assertSame(await agent.turn(steps(['read', '{"a":"\ud800"}'], ['read', '{"a":"\ud801"}'])), [])
  assertSame(await agent.turn(steps(['read', 'x\ud800'], ['read', 'x\ud800'])), ['2: read × 2'])
})

test('each agent has a run of its own, however they interleave', async () => {
  const harness = await both()
  const [first, second] = [harness.agent(), harness.agent()]
  const [one, two] = await Promise.all([first.turn(times(5, READ)), second.turn(times(2, READ))])
  assertSame(one, ['3: read × 3', '5: read × 5'])
  assertSame(two, [])
  const plugin = { source: { kind: 'plugin', plugin: 'other' } }
  assertSame(await second.turn(times(1, READ), plugin), ['1: read × 3'])
})

test('a person resets the run, a plugin does not', async () => {
  const agent = (await both()).agent()
  assertSame(await agent.turn(times(2, READ)), [])
  assertSame(await agent.turn(times(2, READ)), [])
  const plugin = { source: { kind: 'plugin', plugin: 'scheduler' } }
  assertSame(await agent.turn(times(1, READ), plugin), ['1: read × 3'])
  assertSame(await agent.turn(times(2, READ), { source: { kind: 'elsewhere' } }), ['2: read × 5'])
})

test('a person who steers in the middle of a turn resets the run', async () => {
  const harness = await both()
  const agent = harness.agent()
  let calls = 0
  harness.ctx.on('tools/result', () => {
    calls += 1
    if (calls === 2) agent.steer('and now?')
  })
  assertSame(await agent.turn(times(5, READ)), ['5: read × 3'])
})

test('parallel calls of one step count in the order of the model', async () => {
  const agent = (await both({ thresholds: [2, 4] })).agent()
  const call = ['both', '{}']
  const said = await agent.turn([[call, call, call], [call]])
  assert.deepEqual(ours(said), theirs(said))
  assert.deepEqual(
    ours(said).map(({ summary }) => summary),
    ['both × 2', 'both × 4'],
  )
})

test('calls without an agent are ignored', async () => {
  const harness = await both({ thresholds: [2] })
  for (let turn = 0; turn < 3; turn += 1) {
    const signal = new AbortController().signal
    const result = await harness.ctx.tools.execute({ callId: `c${turn}`, name: 'read', arguments: {}, signal })
    assert.equal(result.additionalContexts, undefined)
    assert.equal(result.isError, false)
  }
})

test('what is disposed says nothing more', async () => {
  const harness = await both({ thresholds: [2] })
  const agent = harness.agent()
  const plugin = { source: { kind: 'plugin', plugin: 'other' } }
  assertSame(await agent.turn(times(2, READ)), ['2: read × 2'])
  for (const fiber of harness.fibers) await fiber.dispose()
  assert.deepEqual((await agent.turn(times(4, OTHER), plugin)).notices, [])
})
