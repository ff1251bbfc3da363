// The module in any Node host: the three calls, and what holds around them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import v8 from 'node:v8'
import { runInNewContext } from 'node:vm'

import { Guards } from 'loopguard-node'

import { breakDown, native } from './support/native.mjs'

const BREAKER = [{ name: 'circuit-breaker' }]
const REMINDER = [{ name: 'repeat-reminder', config: { thresholds: [2] } }]
const MAKE = { tool: 'bash', text: '{"command":"make"}' }

/** A call from beginning to end: the refusal's reason, or the notices. */
function play(agent, call, ending) {
  const answer = agent.submit(call)
  return answer.admitted ? agent.finish(answer.call, ending) : answer.reason
}

const failure = { status: 'failure', message: 'no rule', texts: ['make: no rule'] }

test('the third identical failure is denied, until a person speaks', () => {
  const agent = new Guards(BREAKER).agent('main')
  assert.deepEqual(play(agent, MAKE, failure), [])
  assert.deepEqual(play(agent, MAKE, failure), [])
  const refused = agent.submit(MAKE)
  assert.equal(refused.admitted, false)
  assert.match(refused.reason, /already failed 2 consecutive times. Last failure: no rule\./)
  assert.equal(refused.denial.code, 'circuit-open')
  assert.equal(refused.denial.guard, 'tool-failure-circuit-breaker')
  agent.messages([{ kind: 'user', texts: ['try again'] }])
  assert.equal(agent.submit(MAKE).admitted, true)
})

test('a notice comes as data', () => {
  const agent = new Guards(REMINDER).agent('main')
  play(agent, MAKE)
  const [notice] = play(agent, MAKE)
  assert.equal(notice.guard, 'repeat-tool-guard')
  assert.equal(notice.code, 'repeated-call')
  assert.equal(notice.summary, 'bash × 2')
  assert.equal(notice.facts.count, 2)
})

test('text and value of the same arguments are the same call', () => {
  const agent = new Guards(REMINDER).agent('main')
  play(agent, { tool: 't', value: { b: [1, 'ü\ud800'], a: null } })
  assert.equal(play(agent, { tool: 't', text: '{ "a": null, "b": [1.0, "\\u00fc\\ud800"] }' }).length, 1)
  assert.equal(play(agent, { tool: 't', text: '' }).length, 0)
  assert.equal(play(agent, { tool: 't', value: {} }).length, 1)
  assert.equal(play(agent, { tool: 't', value: '7' }).length, 0)
  assert.equal(play(agent, { tool: 't', text: '7' }).length, 0)
  assert.equal(play(agent, { tool: 't', value: undefined }).length, 0)
})

test('a value with an integer beyond 2^53 advises and never denies', () => {
  const rows = [...BREAKER, ...REMINDER]
  for (const rounded of [2 ** 53, -(2 ** 60), 1e300, [{ a: [1e21] }]]) {
    const agent = new Guards(rows).agent('main')
    for (let turn = 0; turn < 4; turn += 1) {
      const said = play(agent, { tool: 't', value: { a: rounded } }, failure)
      assert.deepEqual(said.map(({ summary }) => summary), turn === 1 ? ['t × 2'] : [])
    }
  }
  for (const exact of [2 ** 53 - 1, 1e-300, 0.1, '9007199254740993', 'e+', 12345678901234.5]) {
    const agent = new Guards(rows).agent('main')
    play(agent, { tool: 't', value: exact }, failure)
    play(agent, { tool: 't', value: exact }, failure)
    assert.equal(agent.submit({ tool: 't', value: exact }).admitted, false, `${exact}`)
  }
})

test('guards that only count calls may be told of each in one go', () => {
  const told = new Guards(REMINDER).agent('main')
  assert.deepEqual(told.tell(MAKE), [])
  assert.deepEqual(told.tell(MAKE).map(({ summary }) => summary), ['bash × 2'])
  assert.deepEqual(told.tell({ tool: 't', value: [2 ** 60] }), [])
  assert.deepEqual(told.tell({ tool: 't', value: [2 ** 60] }, true), [])
  assert.deepEqual(told.takeNotices().map(({ summary }) => summary), ['t × 2'])
  assert.equal(new Guards(REMINDER).onlyCountCalls, true)
  assert.equal(new Guards([{ name: 'repeat-reminder', config: { denyAt: 9 } }]).onlyCountCalls, false)
  assert.equal(new Guards([{ name: 'repeat-reminder', config: { resultAware: true } }]).onlyCountCalls, false)
  assert.equal(new Guards().onlyCountCalls, false)
})

test('agents are kept apart, by name and by object', () => {
  const guards = new Guards(REMINDER)
  const key = {}
  play(guards.agent('a'), MAKE)
  play(guards.agent(key), MAKE)
  assert.deepEqual(play(guards.agent('b'), MAKE), [])
  assert.equal(play(guards.agent('a'), MAKE).length, 1)
  assert.equal(play(guards.agent(key), MAKE).length, 1)
  guards.end('b')
  assert.deepEqual(play(guards.agent('b'), MAKE), [])
})

test('an agent that nobody can reach any more takes its state along', async () => {
  v8.setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const guards = new Guards(BREAKER)
  const kept = {}
  play(guards.agent(kept), MAKE, failure)
  for (let agent = 0; agent < 100; agent += 1) play(guards.agent({}), MAKE, failure)
  assert.equal(guards.agents, 101)
  // The collector may leave a few for the next time.
  for (let turn = 0; turn < 100 && guards.agents > 20; turn += 1) {
    collect()
    await setImmediate()
  }
  assert.ok(guards.agents <= 20, `${guards.agents} agents`)
  play(guards.agent(kept), MAKE, failure)
  assert.equal(guards.agent(kept).submit(MAKE).admitted, false)
})

test('what is held back waits for the next time', () => {
  const agent = new Guards(REMINDER).agent('main')
  play(agent, MAKE)
  assert.deepEqual(play(agent, MAKE, { hold: true }), [])
  assert.deepEqual(agent.takeNotices().map(({ summary }) => summary), ['bash × 2'])
  assert.deepEqual(agent.takeNotices(), [])
})

test('a saved state goes on elsewhere', () => {
  const first = new Guards(REMINDER).agent('main')
  play(first, MAKE)
  const second = new Guards(REMINDER).agent('main')
  assert.deepEqual(second.restore(first.save()), [])
  assert.equal(play(second, MAKE).length, 1)
  assert.throws(() => second.restore('{}'))
})

test('a pardoned call runs again, a cleared conversation starts afresh', () => {
  const agent = new Guards(BREAKER).agent('main')
  play(agent, MAKE, failure)
  play(agent, MAKE, failure)
  agent.pardon(MAKE)
  assert.equal(agent.submit(MAKE).admitted, true)
  const other = new Guards(BREAKER).agent('main')
  play(other, MAKE, failure)
  play(other, MAKE, failure)
  other.compacted()
  assert.equal(other.submit(MAKE).admitted, false)
  other.reset()
  assert.equal(other.submit(MAKE).admitted, true)
})

test('the agents of a set may share one state', () => {
  const rows = [{ name: 'loopguard', config: { scope: 'session' } }, ...REMINDER]
  const guards = new Guards(rows)
  play(guards.agent('a'), MAKE)
  assert.equal(play(guards.agent('b'), MAKE).length, 1)
})

test('the configuration is checked, and a warning is none', () => {
  assert.throws(() => new Guards([{ name: 'brake', config: { mode: 'x' } }], { file: 'my.json' }), /my\.json: row 1 \(brake\): mode: found "x"/)
  assert.throws(() => new Guards([], { preset: 'best' }), /best/)
  assert.deepEqual(new Guards([], { preset: 'recommended' }).ids.length, 3)
  assert.equal(new Guards([{ name: 'brake', config: { minWindowCalls: 3 } }]).warnings.length, 1)
})

test('a panic becomes a JavaScript error', () => {
  assert.throws(() => native.panicOnPurpose(), /it was asked for/)
})

test('what fails inside is reported, and the call goes through', (t) => {
  const errors = []
  const agent = new Guards(BREAKER, { onError: (error) => errors.push(error.message) }).agent('main')
  breakDown(t, ['submit', 'finish', 'tell', 'messages', 'takeNotices'])
  const answer = agent.submit(MAKE)
  assert.equal(answer.admitted, true)
  assert.deepEqual(agent.finish(answer.call), [])
  assert.deepEqual(agent.tell(MAKE), [])
  agent.messages([{ kind: 'user', texts: ['go'] }])
  assert.deepEqual(agent.takeNotices(), [])
  const fell = ['submit', 'finish', 'tell', 'messages', 'takeNotices']
  assert.deepEqual(errors, fell.map((name) => `${name} fell over`))
})
