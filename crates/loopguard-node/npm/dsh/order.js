// Where our listeners stand among those of others.
'use strict'

/**
 * Outside of all other listeners, so that what a call is said to have ended with is the final
 * word. Of several rows of ours, the last is then the outermost.
 */
const OUTERMOST = Object.freeze({ prepend: true })

module.exports = { OUTERMOST }
