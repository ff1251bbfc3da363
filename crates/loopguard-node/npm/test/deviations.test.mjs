// Where our reminder departs from the published one, each on purpose, and with its reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import * as published from '@deepseek-ai/dsh-repeat-tool-reminder'
import reminder from 'loopguard-node/repeat-reminder'

import { ours, theirs } from './support/beside.mjs'
import { mount } from './support/harness.mjs'

const both = (config, ...others) => mount([published, config], [reminder, config], ...others)
const steps = (...calls) => calls.map((call) => [call])
const places = (notices) => notices.map(({ after, summary }) => `${after}: ${summary}`)
const quoted = (notices) => notices.map(({ text }) => text.match(/- arguments: (.*)/)?.[1])

/** Plays the calls for both, and compares with what each of them should say. */
async function assertApart(config, calls, expected, look = places, ...others) {
  const said = await (await both(config, ...others)).agent().turn(steps(...calls))
  assert.deepEqual({ ours: look(ours(said)), theirs: look(theirs(said)) }, expected)
}

test('the label is the id of the row, and by default that of the guard', async () => {
  const said = await (await both({ thresholds: [2] })).agent().turn(steps(['read', '{}'], ['read', '{}']))
  assert.deepEqual(said.notices.map(({ plugin }) => plugin), ['repeat-tool-guard', 'repeat-tool-reminder'])
})

test('integers keep all their digits: two that differ are two calls', async () => {
  const calls = [['read', '9007199254740992'], ['read', '9007199254740993']]
  await assertApart({ thresholds: [2] }, calls, { ours: [], theirs: ['2: read × 2'] })
  const long = ['read', '[123456789012345678901234567890]']
  const expected = { ours: [undefined, '[123456789012345678901234567890]'], theirs: [undefined, '[1.2345678901234568e+29]'] }
  await assertApart({ thresholds: [2, 3] }, [long, long, long], expected, quoted)
})

test('a key named __proto__ is part of the value', async () => {
  const calls = [['read', '{"__proto__":{"a":1}}'], ['read', '{"__proto__":{"a":2}}'], ['read', '{"__proto__":{"a":2}}']]
  await assertApart({ thresholds: [2, 3] }, calls, { ours: ['3: read × 2'], theirs: ['2: read × 2', '3: read × 3'] })
})

test('a preview never cuts a character in half, and counts all that it leaves out', async () => {
  const call = ['read', '"ab😀cd"']
  const expected = { ours: [undefined, '"ab… (+5 more chars)'], theirs: [undefined, '"ab\ud83d… (+4 more chars)'] }
  await assertApart({ thresholds: [2, 3], argumentsPreviewChars: 4 }, [call, call, call], expected, quoted)
})

test('a star stands for line breaks, too', async () => {
  const call = ['to\ndo', '{}']
  await assertApart({ thresholds: [2], exclude: ['to*do'] }, [call, call], { ours: [], theirs: ['2: to\ndo × 2'] })
})

test('a call whose arguments the harness refuses counts', async () => {
  const calls = [['read', '{"n":-0}'], ['read', '{"n":-0}'], ['read', '{"n":0}'], ['read', '{"n":0}']]
  // It is the same value as zero. What is to be said of it goes with the next result.
  await assertApart({ thresholds: [2, 3, 4] }, calls, {
    ours: ['3: read × 2', '3: read × 3', '4: read × 4'],
    theirs: ['4: read × 2'],
  })
})

test('a reminder whose result is lost in another plugin waits for the next', async () => {
  let results = 0
  const throws = {
    name: 'throws',
    apply: (ctx) =>
      void ctx.on('tools/post-execute', (_exec, _result, next) => {
        results += 1
        if (results === 2) throw new Error('fell over')
        return next()
      }),
  }
  const call = ['read', '{}']
  const expected = { ours: ['3: read × 2'], theirs: [] }
  await assertApart({ thresholds: [2] }, [call, call, call], expected, places, throws)
})

test('a listener that forgets the contexts of others does not lose ours', async () => {
  const forgets = {
    name: 'forgets',
    apply: (ctx) =>
      void ctx.on('tools/post-execute', async (_exec, _result, next) => {
        await next()
        return { kind: 'accept' }
      }),
  }
  const harness = await mount(forgets, [published, { thresholds: [2] }], [reminder, { thresholds: [2] }])
  const said = await harness.agent().turn(steps(['read', '{}'], ['read', '{}']))
  assert.deepEqual([ours(said).length, theirs(said).length], [1, 0])
})

test('an unknown key is an error', async () => {
  await mount([published, { threshold: [3] }])
  await assert.rejects(mount([reminder, { threshold: [3] }]), /unknown key "threshold"/)
})
