// Random transcripts, each the same for the same seed.

/** Random numbers from a seed: mulberry32. */
export class Random {
  #state

  constructor(seed) {
    this.#state = seed >>> 0
  }

  /** A number from 0 to 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from 0, below `end`. */
  below(end) {
    return Math.floor(this.next() * end)
  }

  chance(share) {
    return this.next() < share
  }

  pick(list) {
    return list[this.below(list.length)]
  }

  /** A list of `from` to `to` things. */
  many(from, to, make) {
    return Array.from({ length: from + this.below(to - from + 1) }, make)
  }

  shuffled(list) {
    const rest = [...list]
    return Array.from(list, () => rest.splice(this.below(rest.length), 1)[0])
  }
}

const TOOLS = ['read', 'read', 'fails', 'todo', 'both', 'both', 'denied', 'guarded', 'blocked', 'nowhere', 'mcp_list']
const PATTERNS = ['*', 'read', 'to*', 'mcp_*', '*e*', 'both', 'b*h', 'nothing', 'denied', '(read|both)', 'r.ad']
const KEYS = ['path', 'n', '10', '2', 'ü', 'a b', '', 'ключ', 'constructor']
const STRINGS = ['', 'a', 'src/main.rs', 'ünï', 'line\nbreak', '\u2028', '"quoted"', '漢字', 'x'.repeat(40), '\ud800']
const MALFORMED = ['{"path":', 'plain', "{'a': 1}", '[1,]', '\u00a0{}', 'NaN', '01', '"\t"']
const SOURCES = [{ kind: 'user' }, { kind: 'plugin', plugin: 'scheduler' }, { kind: 'plugin', plugin: 'x', form: 'notice' }, { kind: 'elsewhere' }]

/** A configuration that both reminders take. */
export function randomConfig(random) {
  const thresholds = random.shuffled([2, 3, 4, 5, 6, 8, 9]).slice(0, 1 + random.below(4))
  const patterns = () => (random.chance(0.3) ? random.many(1, 3, () => random.pick(PATTERNS)) : [])
  return { thresholds, include: patterns(), exclude: patterns(), argumentsPreviewChars: random.pick([1, 7, 30, 500]) }
}

/**
 * A transcript for one agent: turns, each a message's source and steps of calls. Few different
 * calls, so that they repeat; each call in a spelling of its own.
 */
export function randomTranscript(random, without = []) {
  const tools = TOOLS.filter((tool) => !without.includes(tool))
  const calls = random.many(1, 3, () => [random.pick(tools), randomArguments(random)])
  let call = random.pick(calls)
  const next = () => {
    if (random.chance(0.25)) call = random.pick(calls)
    return [call[0], call[1](random)]
  }
  const step = () => (random.chance(0.25) ? random.many(2, 4, next) : [next()])
  return random.many(1, 3, () => ({ source: random.pick(SOURCES), steps: random.many(1, 6, step) }))
}

/** A way to spell one set of arguments, anew each time. */
function randomArguments(random) {
  if (random.chance(0.15)) {
    const text = random.pick(MALFORMED)
    return (again) => (again.chance(0.3) ? JSON.stringify(text) : text)
  }
  if (random.chance(0.1)) return (again) => again.pick(['', '{}', ' { } '])
  const value = randomValue(random, 3)
  return (again) => spell(again, value)
}

function randomValue(random, depth) {
  switch (random.below(depth > 0 ? 7 : 4)) {
    case 0:
      return random.pick([null, true, false])
    case 1:
      return random.pick([0, 1, -7, 42, 0.1, 1.5e-7, 123456789012345, 2 ** 53 - 1, 5e-324, 1.7976931348623157e308])
    case 2:
    case 3:
      return random.pick(STRINGS)
    case 4:
      return random.many(0, 3, () => randomValue(random, depth - 1))
    default:
      return Object.fromEntries(random.many(0, 4, () => [random.pick(KEYS), randomValue(random, depth - 1)]))
  }
}

/** A JSON text of this value: keys in any order, numbers and characters in any spelling. */
function spell(random, value) {
  const space = () => random.pick(['', '', '', ' ', '\n', '\t'])
  if (typeof value === 'number') return spellNumber(random, value)
  if (typeof value === 'string') return spellString(random, value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return `[${space()}${value.map((item) => spell(random, item)).join(`${space()},${space()}`)}${space()}]`
  const members = random.shuffled(Object.entries(value)).map(([key, item]) => `${spellString(random, key)}${space()}:${space()}${spell(random, item)}`)
  return `{${space()}${members.join(`,${space()}`)}${space()}}`
}

function spellNumber(random, value) {
  const text = String(value)
  if (!Number.isInteger(value) || text.includes('e')) return random.pick([text, value.toExponential()])
  return random.pick([text, `${text}.0`, `${text}e0`, `${text}0E-1`])
}

function spellString(random, value) {
  const text = JSON.stringify(value)
  if (!random.chance(0.2)) return text
  return text.replace(/[a-z/]/, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).replace('\\\\u', '\\u')
}
