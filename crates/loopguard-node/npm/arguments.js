// Arguments as text, the form in which they cross into the native module.
'use strict'

/**
 * The text of arguments as the model wrote them. A lone surrogate cannot cross as it is: inside
 * a JSON string its escape means the same; a text that is no JSON is the JSON string of itself.
 */
function ofText(text) {
  if (text.isWellFormed()) return text
  try {
    JSON.parse(text)
  } catch {
    return JSON.stringify(text)
  }
  return text.replace(LONE_SURROGATE, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
}

const LONE_SURROGATE = /[\ud800-\udfff]/gu

/** The text of arguments that were parsed already, and whether the parser has lost digits. */
function ofValue(value) {
  // What JSON has no word for is as good as missing.
  const text = JSON.stringify(value) ?? ''
  return { text, inexact: MAY_BE_ROUNDED.test(text) && isRounded(value) }
}

/** A quick look first: no integer beyond 2^53 is printed with fewer digits, or without exponent. */
const MAY_BE_ROUNDED = /\d{16}|e\+/

/** Whether an integer beyond 2^53 is among the numbers: it may once have been another one. */
function isRounded(value) {
  const waiting = [value]
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'number') {
      if (Number.isInteger(next) && !Number.isSafeInteger(next)) return true
    } else if (next !== null && typeof next === 'object') {
      for (const part of Object.values(next)) waiting.push(part)
    }
  }
  return false
}

module.exports = { ofText, ofValue }
