// All three guards at once, in the real agent loop.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import brake from 'loopguard-node/brake'
import breaker from 'loopguard-node/circuit-breaker'
import reminder from 'loopguard-node/repeat-reminder'
import set from 'loopguard-node/set'

import { mount } from './support/harness.mjs'

const times = (count, ...call) => Array(count).fill([call])
const DENIAL =
  'The identical fails call already failed 2 consecutive times. Last failure: no such file. Change the arguments or ' +
  'approach, inspect external state, or ask the user instead of retrying unchanged.'

const ways = {
  'three rows': [reminder, brake, breaker],
  'three rows, the other way round': [breaker, brake, reminder],
  'one row of a set': [[set, {}]],
}

for (const [way, plugins] of Object.entries(ways)) {
  test(`${way}: a denial reaches the model, and counts for the others`, async () => {
    const agent = (await mount(...plugins)).agent()
    const said = await agent.turn(times(8, 'fails', '{}'))
    const texts = said.results.map(({ text }) => text)
    assert.deepEqual(texts.slice(0, 2), Array(2).fill('Error: no such file'))
    assert.deepEqual(texts.slice(2), Array(6).fill(`Error: ${DENIAL}`))
    // Only two of the eight calls ran. All of them count.
    assert.deepEqual(said.of('repeat-tool-guard'), ['3: fails × 3', '5: fails × 5', '8: fails × 8'])
    assert.deepEqual(said.of('dsh-brake'), ['6: fails × 6'])
    const read = JSON.stringify(said.request)
    assert.ok(read.includes(DENIAL))
  })

  test(`${way}: a person starts all of them afresh`, async () => {
    const agent = (await mount(...plugins)).agent()
    await agent.turn(times(4, 'fails', '{}'))
    const said = await agent.turn(times(2, 'fails', '{}'))
    assert.deepEqual(said.results.map(({ text }) => text), Array(2).fill('Error: no such file'))
    assert.deepEqual(said.notices, [])
  })
}

test('parallel siblings may all fail before the next call is denied', async () => {
  const harness = await mount(reminder, brake, breaker)
  const agent = harness.agent()
  const said = await agent.turn([Array(4).fill(['fails', '{}']), [['fails', '{}']]])
  assert.match(said.results.at(-1).text, /already failed (2|4) consecutive times/)
})

test('a set may end the run after so many denials', async () => {
  const rows = [{ name: 'loopguard', config: { haltAfterDenials: 2 } }, { name: 'circuit-breaker' }]
  const harness = await mount([set, { rows }])
  const agent = harness.agent()
  const said = await agent.turn(times(9, 'fails', '{}'))
  assert.equal(said.results.length, 4)
  assert.deepEqual(said.events.at(-1).data.reason.kind, 'aborted')
})

test('a brake that may deny tells why, and the call counts', async () => {
  const config = { mode: 'deny', callWarnCount: 2, callDenyCount: 3 }
  const agent = (await mount(reminder, [brake, config])).agent()
  const said = await agent.turn(times(5, 'read', '{}'))
  assert.deepEqual(said.results.map(({ isError }) => isError), [false, false, false, true, true])
  assert.deepEqual(said.of('repeat-tool-guard'), ['3: read × 3', '5: read × 5'])
})
