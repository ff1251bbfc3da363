// The guards among other listeners of the harness's pipeline.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as published from '@deepseek-ai/dsh-repeat-tool-reminder'
import breaker from 'loopguard-node/circuit-breaker'
import brake from 'loopguard-node/brake'
import reminder from 'loopguard-node/repeat-reminder'

import { ours, theirs } from './support/beside.mjs'
import { mount } from './support/harness.mjs'

const times = (count, ...call) => Array(count).fill([call])
const context = (text) => ({
  id: crypto.randomUUID(),
  role: 'user',
  content: [{ type: 'text', text }],
  source: { kind: 'plugin', plugin: 'linter' },
})

/** A plugin that registers one listener. */
const listener = (event, listen) => ({ name: 'other', apply: (ctx) => void ctx.on(event, listen) })

/** What plugins said in the turn's user messages, in their order: the plugin, or the text. */
const order = (said) =>
  said.events
    .filter(({ type, data }) => type === 'user/message' && data.source.kind === 'plugin')
    .map(({ data }) => (data.source.plugin === 'linter' ? data.content[0].text : data.source.plugin))

test('a call that another listener denies counts, wherever that listener stands', async () => {
  const denies = listener('tools/pre-execute', async (exec, next) => {
    const decision = await next()
    return exec.name === 'denied' ? { kind: 'deny', reason: 'not here' } : decision
  })
  for (const plugins of [[denies, published, reminder], [published, reminder, denies]]) {
    const agent = (await mount(...plugins)).agent()
    const said = await agent.turn(times(5, 'denied', '{}'))
    assert.deepEqual(said.of('repeat-tool-guard'), ['3: denied × 3', '5: denied × 5'])
    assert.deepEqual(ours(said), theirs(said))
    assert.equal(said.results[4].text, 'Error: not here')
  }
})

test('a call that is hidden by a listener outside of ours counts all the same', async () => {
  const hides = { name: 'other', apply: (ctx) => void ctx.on('tools/pre-execute', () => ({ kind: 'deny', reason: 'no' }), { prepend: true }) }
  const agent = (await mount(published, reminder, hides)).agent()
  const said = await agent.turn(times(3, 'read', '{}'))
  assert.deepEqual(said.of('repeat-tool-guard'), ['3: read × 3'])
  assert.deepEqual(ours(said), theirs(said))
})

test('a denial of another is no failure for the breaker', async () => {
  const denies = {
    name: 'other',
    inject: ['tools'],
    apply: (ctx) => void ctx.tools.guard((exec) => (exec.name === 'denied' ? 'not here' : undefined)),
  }
  const agent = (await mount(breaker, denies)).agent()
  const said = await agent.turn([...times(1, 'fails', '{}'), ...times(4, 'denied', '{}'), ...times(2, 'fails', '{}')])
  const texts = said.results.map(({ text }) => text)
  assert.deepEqual(texts.slice(1, 5), Array(4).fill('Error: not here'))
  assert.match(texts[6], /already failed 2 consecutive times/)
})

test('nobody is asked about a call that is denied anyway', async () => {
  let asked = 0
  const asks = listener('tools/pre-execute', async (exec, next) => {
    await next()
    asked += 1
    return asked > 2 ? { kind: 'ask', reason: 'a person has to say' } : { kind: 'allow' }
  })
  const agent = (await mount(asks, breaker)).agent()
  const said = await agent.turn(times(3, 'fails', '{}'))
  assert.equal(asked, 3)
  assert.match(said.results[2].text, /already failed 2 consecutive times/)
})

test('a block downstream keeps its feedback and its contexts, ours before them', async () => {
  const blocks = listener('tools/post-execute', async (exec, _, next) => {
    await next()
    const feedback = [{ type: 'text', text: 'too early' }]
    return { kind: 'block', feedback, additionalContexts: [context('first'), context('second')] }
  })
  const agent = (await mount(published, reminder, blocks)).agent()
  const said = await agent.turn(times(3, 'blocked', '{}'))
  assert.deepEqual(said.results, Array(3).fill({ text: 'too early', isError: true }))
  assert.deepEqual(order(said).slice(-4), ['repeat-tool-guard', 'repeat-tool-reminder', 'first', 'second'])
  assert.deepEqual(ours(said), theirs(said))
})

test('a block is a failure, and its feedback the message', async () => {
  const blocks = listener('tools/post-execute', async (exec, result, next) => {
    const decision = await next()
    return result.isError ? decision : { kind: 'block', feedback: [{ type: 'text', text: 'too early' }] }
  })
  for (const plugins of [[breaker, blocks], [blocks, breaker]]) {
    const agent = (await mount(...plugins)).agent()
    const said = await agent.turn(times(3, 'blocked', '{}'))
    assert.match(said.results[2].text, /^Error: The identical blocked call .* Last failure: too early\. /)
  }
})

test('replaced content stays replaced, and is what counts as text', async () => {
  const text = 'a replaced text that is long enough to be looked at by whoever counts texts, for it is long'
  const replaces = listener('tools/post-execute', async (exec, _, next) => ({ ...(await next()), content: [{ type: 'text', text }] }))
  const agent = (await mount(brake, replaces)).agent()
  const said = await agent.turn(['1', '2', '3'].map((n) => [['read', n]]))
  assert.deepEqual(said.results, Array(3).fill({ text, isError: false }))
  assert.deepEqual(said.of('dsh-brake'), ['3: duplicate text × 3'])
})

test('what several rows of ours say comes in the order of the rows', async () => {
  const config = { thresholds: [2] }
  const agent = (await mount([reminder, config], [brake, { callWarnCount: 2 }], published)).agent()
  const said = await agent.turn(times(3, 'read', '{}'))
  assert.deepEqual(order(said).slice(0, 2), ['repeat-tool-guard', 'dsh-brake'])
})

test('a listener that throws behind ours does not hide the call', async () => {
  let calls = 0
  const throws = listener('tools/post-execute', async (exec, _, next) => {
    calls += 1
    if (calls < 3) throw new Error('the linter fell over')
    return next()
  })
  const agent = (await mount([reminder, { thresholds: [2, 3] }], breaker, throws)).agent()
  const said = await agent.turn(times(3, 'read', '{}'))
  assert.equal(said.results[1].text, 'Error: the linter fell over')
  // The notice of the second call could not go with it, and goes with the next.
  assert.deepEqual(said.of('repeat-tool-guard'), ['3: read × 2', '3: read × 3'])
  assert.match(said.results[2].text, /Last failure: the linter fell over\./)
})

test('a call whose arguments the harness refuses is a failed call', async () => {
  const agent = (await mount([reminder, { thresholds: [3] }], breaker)).agent()
  const said = await agent.turn([...times(3, 'read', '{"n":-0}'), ...times(1, 'read', '{"n":1}')])
  assert.ok(said.results.slice(0, 3).every(({ isError }) => isError))
  assert.deepEqual(said.of('repeat-tool-guard'), ['4: read × 3'])
})

test('integers beyond 2^53 are told apart by the text of the model', async () => {
  const agent = (await mount(published, reminder, breaker)).agent()
  const calls = ['9007199254740992', '9007199254740993', '9007199254740994'].map((n) => [['fails', `{"n":${n}}`]])
  const said = await agent.turn([...calls, ...calls])
  // Deviation: the published reminder sees what is left of the numbers, and takes two for one.
  assert.deepEqual(said.of('repeat-tool-guard'), [])
  assert.ok(said.results.every(({ text }) => text === 'Error: no such file'))
  const again = await agent.turn(times(3, 'fails', '{"n":9007199254740993}'))
  assert.match(again.results[2].text, /already failed 2 consecutive times/)
})

test('where no text is left, a rounded integer advises and never denies', async () => {
  const harness = await mount(reminder, breaker)
  const { live } = harness.agent()
  const signal = new AbortController().signal
  const call = async (n) =>
    harness.ctx.tools.execute({ callId: 'c', name: 'fails', arguments: { n }, agent: live, signal })
  const results = []
  for (let turn = 0; turn < 4; turn += 1) results.push(await call(2 ** 53))
  assert.ok(results.every(({ error }) => error.message === 'no such file'))
  assert.equal(results[2].additionalContexts[0].source.summary, 'fails × 3')
  for (let turn = 0; turn < 3; turn += 1) results.push(await call(1))
  assert.match(results.at(-1).error.message, /already failed 2 consecutive times/)
})

test('a cancelled call neither counts as a failure nor clears', async () => {
  const harness = await mount(breaker)
  const { live } = harness.agent()
  const call = async (abort) => {
    const controller = new AbortController()
    if (abort) harness.ctx.once('tools/execute', (_, next) => (controller.abort(), next()))
    return harness.ctx.tools.execute({ callId: 'c', name: 'fails', arguments: {}, agent: live, signal: controller.signal })
  }
  const messages = []
  for (const abort of [false, true, true, false, false]) messages.push((await call(abort)).error.message)
  assert.deepEqual(messages.slice(0, 4), ['no such file', 'tool call aborted before dispatch', 'tool call aborted before dispatch', 'no such file'])
  assert.match(messages[4], /already failed 2 consecutive times/)
})

test('a notice of a guard is no text for another one, and no person', async () => {
  const agent = (await mount([reminder, { thresholds: [2, 3, 4, 5, 6] }], [brake, { callWarnCount: 20, callDenyCount: 21 }])).agent()
  const said = await agent.turn(times(7, 'read', '{}'))
  assert.equal(said.of('repeat-tool-guard').length, 5)
  assert.deepEqual(said.of('dsh-brake'), [])
})

test('an injected text that comes again and again is told in the same step', async () => {
  const text = 'the same long advice of a plugin that has nothing else to say to anybody, ever again, at all'
  const agent = (await mount(brake)).agent()
  const source = { kind: 'plugin', plugin: 'nagger' }
  await agent.turn([], { source, text })
  await agent.turn([], { source, text })
  const said = await agent.turn([], { source, text })
  assert.deepEqual(said.of('dsh-brake'), ['0: duplicate text × 3'])
})
