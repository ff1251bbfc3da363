// Calls per second through the listeners of our reminder and of the published one, in turns.
//
// No harness around: what is measured is what each plugin adds to a call. Each call is an object
// of its own, its arguments were parsed from the model's text as the loop parses them, and ours
// is told of that text as the loop tells it: by the log's event.
import * as published from '@deepseek-ai/dsh-repeat-tool-reminder'
import brake from 'loopguard-node/brake'
import breaker from 'loopguard-node/circuit-breaker'
import reminder from 'loopguard-node/repeat-reminder'
import set from 'loopguard-node/set'

const ROUNDS = 15
/** Different arguments, so that nothing is advised about. */
const DIFFERENT = 64
const RESULT = Object.freeze({ isError: false, value: 'ok', content: [{ type: 'text', text: 'ok' }] })
const ALLOW = Promise.resolve({ kind: 'allow' })
const RAN = Promise.resolve(RESULT)
const ACCEPT = Promise.resolve({ kind: 'accept' })

/** A call's arguments as models write them: some keys, or one text that makes up most of it. */
const SHAPES = {
  '100 B, a command': (n) => ({ command: `cargo test --package p${n} -- --nocapture`, description: 'Run the tests', timeoutMs: 120000 }),
  '100 B, a search': (n) => ({ pattern: `fn part_${n}`, path: 'src', include: '*.rs', limit: 40, offset: 0, flags: ['i', 'm'] }),
  '1 KB, an edit': (n) => ({ file_path: `src/file${n}.rs`, old_string: '  let a = 1;\n'.repeat(32), new_string: '  let a = 2;\n'.repeat(32) }),
  '10 KB, a file': (n) => ({ file_path: `src/file${n}.rs`, content: '    let value = compute(&input)?;\n'.repeat(300) }),
  '10 KB, many keys': (n) => ({ n, todos: Array.from({ length: 110 }, (_, i) => ({ content: `Look at part ${i} of the task`, id: `t${i}`, priority: 'high', status: 'pending' })) }),
}

/** The listeners that a plugin registers. */
function listenersOf(plugin, config) {
  const listeners = {}
  plugin.apply({ on: (event, listener) => (listeners[event] = listener), logger: console }, config)
  return listeners
}

/**
 * One call through the listeners, in the order of the harness's pipeline. What a listener only
 * passes on is waited for with or without it, so it is not waited for here.
 */
async function through(listeners, session, logged, exec) {
  listeners['session/event']?.(session, logged)
  listeners['tools/pre-execute']?.(exec, () => ALLOW)
  listeners['tools/execute']?.(exec, () => RAN)
  await listeners['tools/post-execute'](exec, RESULT, () => ACCEPT)
  listeners['tools/result']?.(exec, RESULT)
}

/** Microseconds a call. */
async function measure(listeners, texts, calls) {
  const agent = { session: {} }
  const execs = Array.from({ length: calls }, (_, at) => {
    const [callId, text] = [`call-${at}`, texts[at % DIFFERENT]]
    const exec = { callId, rootCallId: callId, name: 'tool', arguments: JSON.parse(text), agent, token: Symbol() }
    return [{ type: 'tool/call', data: { turn: 1, step: at, callId, name: 'tool', arguments: text } }, exec]
  })
  // Time of the processor, since others may be at work beside.
  const start = process.cpuUsage()
  for (const [logged, exec] of execs) await through(listeners, agent.session, logged, exec)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / calls
}

/** The median of each contender's rounds, taken in turns. */
async function race(contenders, texts, calls) {
  const times = contenders.map(() => [])
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { plugin, config }] of contenders.entries()) {
      times[at].push(await measure(listenersOf(plugin, config), texts, calls))
    }
  }
  return times.map((list) => list.sort((one, other) => one - other)[list.length >> 1])
}

/** A listener that only passes on: what none of them can be cheaper than. */
const nobody = { apply: (ctx) => ctx.on('tools/post-execute', async (_exec, _result, next) => await next()) }

const CONTENDERS = [
  { name: 'published reminder', plugin: published, config: new published.Config({}) },
  { name: 'our reminder', plugin: reminder, config: {} },
  { name: 'our breaker', plugin: breaker, config: {} },
  { name: 'our brake', plugin: brake, config: {} },
  { name: 'all three of ours, as one set', plugin: set, config: {} },
  { name: 'a listener that does nothing', plugin: nobody },
]

console.log('| arguments | plugin | calls per second | a call | beside the published reminder |')
console.log('| --- | --- | --- | --- | --- |')
for (const [shape, make] of Object.entries(SHAPES)) {
  const texts = Array.from({ length: DIFFERENT }, (_, n) => JSON.stringify(make(n)))
  const calls = texts[0].length > 1000 ? 2_000 : 20_000
  const medians = await race(CONTENDERS, texts, calls)
  for (const [at, { name }] of CONTENDERS.entries()) {
    const perSecond = Math.round(1e6 / medians[at]).toLocaleString('en')
    const times = (medians[0] / medians[at]).toFixed(1)
    console.log(`| ${shape} | ${name} | ${perSecond} | ${medians[at].toFixed(2)} µs | ${at === 0 ? '' : `× ${times}`} |`)
  }
}
