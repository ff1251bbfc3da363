// A guard that fails lets the harness go on.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import reminder from 'loopguard-node/repeat-reminder'

import { mount } from './support/harness.mjs'
import { native } from './support/native.mjs'

test('where the native module throws, calls run and results stay', async (t) => {
  for (const method of ['submit', 'finish', 'messages', 'takeNotices']) {
    t.mock.method(native.Session.prototype, method, () => {
      throw new Error(`${method} fell over`)
    })
  }
  const agent = (await mount(reminder)).agent()
  const said = await agent.turn(Array(4).fill([['read', '{}']]))
  assert.deepEqual(said.results, Array(4).fill({ text: 'contents', isError: false }))
  assert.deepEqual(said.notices, [])
})
