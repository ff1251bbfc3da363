// What a model sends, piece by piece.

/** Makes answers that call tools: of a step, a list of `[tool, arguments as text]`. */
export function caller() {
  let calls = 0
  return function* (step) {
    for (const [index, [name, argumentsDelta]] of step.entries()) {
      const id = `call-${(calls += 1)}`
      yield { type: 'block-start', index, blockType: 'tool-call' }
      yield { type: 'tool-call-delta', index, id, name, argumentsDelta }
      yield { type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: argumentsDelta } }
    }
    yield { type: 'finish', reason: { kind: 'tool-calls' } }
  }
}

/** An answer that is a text, and ends the turn. */
export function* saying(text) {
  yield { type: 'block-start', index: 0, blockType: 'text' }
  yield { type: 'text-delta', index: 0, text }
  yield { type: 'block-end', index: 0, block: { type: 'text', text } }
  yield { type: 'finish', reason: { kind: 'stop' } }
}
