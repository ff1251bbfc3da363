// What is wrong with a row is said when it is loaded.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import brake from 'loopguard-node/brake'
import breaker from 'loopguard-node/circuit-breaker'
import reminder from 'loopguard-node/repeat-reminder'
import set from 'loopguard-node/set'

import { mount } from './support/harness.mjs'

const wrong = [
  ['no threshold', reminder, { thresholds: [] }, /thresholds: found \[\], allowed is/],
  ['a threshold below two', reminder, { thresholds: [1] }, /thresholds\[0\]: found 1, allowed is/],
  ['a threshold twice', reminder, { thresholds: [3, 3] }, /thresholds/],
  ['a threshold that is no integer', reminder, { thresholds: [2.5] }, /found 2\.5/],
  ['no room for arguments', reminder, { argumentsPreviewChars: 0 }, /argumentsPreviewChars: found 0/],
  ['a list that is none', reminder, { exclude: 'todo' }, /exclude: found "todo"/],
  ['an unknown key', reminder, { tresholds: [3] }, /unknown key "tresholds".*thresholds/],
  ['a deny count below the warn count', brake, { callWarnCount: 9, callDenyCount: 3 }, /callDenyCount/],
  ['an unknown mode', brake, { mode: 'stop' }, /mode: found "stop"/],
  ['no failure at all', breaker, { maxFailures: 0 }, /maxFailures: found 0/],
  ['no mapping', breaker, 'fast', /config: found "fast"/],
  ['a row of an unknown name', set, { rows: [{ name: 'brakes' }] }, /brakes/],
  ['rows that are no list', set, { rows: 'brake' }, /found "brake"/],
  ['a key beside the rows', set, { row: [] }, /found "row", allowed is a mapping with the key rows/],
  ['a list of rows where a mapping is due', set, [], /found \[\], allowed is a mapping/],
]

for (const [what, plugin, config, message] of wrong) {
  test(`${what} is refused, and the message names the place`, async () => {
    await assert.rejects(mount([plugin, config]), (error) => {
      assert.match(error.message, message)
      assert.ok(error.message.startsWith(plugin.name), error.message)
      return true
    })
  })
}

test('everything that is wrong is said at once', async () => {
  await assert.rejects(mount([brake, { callWarnCount: 1, sequenceCount: 1 }]), /callWarnCount[^]*sequenceCount/)
})

test('a row without a configuration is a row with the defaults', async () => {
  for (const plugin of [reminder, brake, breaker, set]) await mount(plugin)
})

test('rows of the originals load as they are', async () => {
  const rows = [
    { id: 'repeat-tool-reminder', name: '@deepseek-ai/dsh-repeat-tool-reminder', config: { thresholds: [2, 3] } },
    { id: 'b', name: 'dsh-brake', config: { mode: 'remind' } },
  ]
  const agent = (await mount([set, { rows }])).agent()
  const said = await agent.turn(Array(2).fill([['read', '{}']]))
  assert.deepEqual(said.of('repeat-tool-reminder'), ['2: read × 2'])
})
