// The harness's own program with our bundle installed, and the replay of what it has recorded.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { zstdDecompressSync } from 'node:zlib'

import { replayed } from '../support/replay.mjs'

const run = promisify(execFile)
const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const DSH = here('node_modules/@deepseek-ai/dsh/lib/bin.js')
/** The packed bundle: `cargo xtask dsh-test` makes it. */
const ARCHIVE = process.env.LOOPGUARD_ARCHIVE

const MISSING = ['read', '{"file_path":"/nowhere/at-all.txt"}']
const FIND = ['glob', '{"pattern":"*.nothing"}']
/** A step each: six reads that fail, two searches at once, then searches one by one. */
const SCRIPT = [...Array(6).fill([MISSING]), [FIND, FIND], [FIND], [FIND], [FIND]]

const MODEL = [
  { insert: [{ id: 'scripted-model', name: here('scripted-model.mjs') }] },
  { id: 'agent-default-model', config: { provider: 'scripted', model: 'm' } },
]

let home

before(async () => {
  home = await mkdtemp(join(tmpdir(), 'loopguard-dsh-home-'))
  await writeFile(join(home, 'script.json'), JSON.stringify(SCRIPT))
  // The profile is the root of a workspace of its own, hence `-w`.
  await dsh(['plugin', '--profile', 'headless', 'add', '-w', ARCHIVE])
})

after(() => rm(home, { recursive: true, force: true }))

function dsh(words) {
  const env = { ...process.env, DSH_HOME: home, LOOPGUARD_SCRIPT: join(home, 'script.json') }
  return run(process.execPath, [DSH, ...words], { cwd: home, env })
}

/** Runs a task under these rows of a patch, and reads the log that it leaves. */
async function record(patch) {
  // JSON is YAML.
  const file = join(home, 'patch.yml')
  await writeFile(file, JSON.stringify([...MODEL, ...patch]))
  await rm(join(home, 'sessions'), { recursive: true, force: true })
  const { stdout } = await dsh(['--profile', 'headless', '--patch', file, 'find it'])
  assert.equal(stdout.trim(), 'finished')
  const files = await readdir(join(home, 'sessions'), { recursive: true })
  const log = join(home, 'sessions', files.find((name) => name.endsWith('.jsonl.zstd')))
  const lines = unpacked(await readFile(log)).trim().split('\n')
  return { log, events: lines.map((line) => JSON.parse(line)) }
}

/** The text of a log: a row of zstd frames, each unpacked by itself. */
function unpacked(bytes) {
  const texts = []
  for (let rest = bytes; rest.length > 0; ) {
    const { buffer, engine } = zstdDecompressSync(rest, { info: true })
    texts.push(buffer.toString())
    rest = rest.subarray(engine.bytesWritten)
  }
  return texts.join('')
}

/** What was said live, as the log has it: denials in place of results, and notices. */
function saidLive(events) {
  const calls = []
  const said = []
  for (const { type, data } of events) {
    if (type === 'tool/call') calls.push(data.callId)
    if (type === 'tool/result') {
      const [{ toolCallId, content }] = data.message.content
      const reason = content[0].text.match(/^Error: (The identical [^]*)$/)?.[1]
      if (reason) said.push({ call: toolCallId, action: 'deny', message: reason })
    }
    if (type === 'user/message' && data.source.form === 'notice') {
      said.push({ call: calls.at(-1), guard: data.source.plugin, action: 'notice', message: data.content[0].text })
    }
  }
  return said
}

/** The same decisions at the same calls. In one step, live notices follow all the results. */
function assertAgree(live, decisions) {
  const denials = decisions.filter(({ action }) => action === 'deny')
  assert.deepEqual(
    denials.map(({ call, action, message }) => ({ call, action, message })),
    live.filter(({ action }) => action === 'deny'),
  )
  const notices = decisions.filter(({ action }) => action === 'notice')
  assert.deepEqual(
    notices.map(({ call, guard, action, message }) => ({ call, guard, action, message })),
    live.filter(({ action }) => action === 'notice'),
  )
}

test('the bundle says in the real program what a replay of its log says', async () => {
  const { log, events } = await record([])
  const live = saidLive(events)
  assert.deepEqual(
    live.filter(({ guard }) => guard).map(({ call, guard }) => [call, guard]),
    [
      ['call-3', 'repeat-tool-guard'],
      ['call-5', 'repeat-tool-guard'],
      ['call-6', 'dsh-brake'],
      ['call-9', 'repeat-tool-guard'],
      ['call-11', 'repeat-tool-guard'],
    ],
  )
  assert.match(live.find(({ call, guard }) => call === 'call-3' && guard).message, /^You are repeating the exact same/)
  assert.equal(live.filter(({ action }) => action === 'deny').length, 4)
  assertAgree(live, await replayed(log))
})

test('rows of the profile configure the guards, and one that is disabled is silent', async () => {
  const config = { thresholds: [2, 4], exclude: ['glob'] }
  const { log, events } = await record([
    { id: 'repeat-tool-guard', config },
    { id: 'tool-failure-circuit-breaker', config: { maxFailures: 4 } },
    { id: 'dsh-brake', disabled: true },
  ])
  const live = saidLive(events)
  assert.deepEqual(live.map(({ call, action }) => `${call} ${action}`), [
    'call-2 notice',
    'call-4 notice',
    'call-5 deny',
    'call-6 deny',
  ])
  const rows = [
    { name: 'repeat-reminder', config },
    { name: 'circuit-breaker', config: { maxFailures: 4 } },
  ]
  const file = join(home, 'rows.json')
  await writeFile(file, JSON.stringify(rows))
  assertAgree(live, await replayed(log, '--config', file))
})

test('a row that is wrong keeps the program from starting, and the message says why', async () => {
  await assert.rejects(record([{ id: 'repeat-tool-guard', config: { thresholds: [] } }]), (error) => {
    assert.notEqual(error.code, 0)
    assert.match(error.stdout + error.stderr, /loopguard-node\/repeat-reminder: row 1 \(repeat-reminder\): thresholds: found \[\]/)
    return true
  })
})
