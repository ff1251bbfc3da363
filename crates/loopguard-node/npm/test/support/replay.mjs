// What the program `loopguard` says to a recorded session.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** The program: `cargo xtask dsh-test` names it. */
const PROGRAM = process.env.LOOPGUARD_PROGRAM

/** The decisions of a replay, in their order. The rows start from the originals' values. */
export async function replayed(path, ...options) {
  const words = ['replay', '--from', 'dsh', '--preset', 'original', '--output', 'jsonl', ...options, path]
  const { stdout } = await run(PROGRAM, words, { maxBuffer: 1 << 28 })
  return stdout.split('\n').filter(Boolean).map((line) => JSON.parse(line))
}
