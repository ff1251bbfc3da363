// A guard that fails lets the harness go on.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import breaker from 'loopguard-node/circuit-breaker'
import reminder from 'loopguard-node/repeat-reminder'

import { mount } from './support/harness.mjs'
import { breakDown } from './support/native.mjs'

test('where the native module throws, calls run and results stay', async (t) => {
  breakDown(t, ['submit', 'finish', 'tell', 'messages', 'takeNotices'])
  const agent = (await mount(reminder, breaker)).agent()
  const said = await agent.turn([...Array(4).fill([['read', '{}']]), ...Array(4).fill([['fails', '{}']])])
  const fine = { text: 'contents', isError: false }
  const failed = { text: 'Error: no such file', isError: true }
  assert.deepEqual(said.results, [...Array(4).fill(fine), ...Array(4).fill(failed)])
  assert.deepEqual(said.notices, [])
})
