// Denial of a call that already failed in the same way.
'use strict'

const { plugin } = require('./plugin.js')

const guard = plugin('loopguard-node/circuit-breaker', 'tool-failure-circuit-breaker', (config, id) => [{ id, name: 'circuit-breaker', config }])

exports.name = guard.name
exports.apply = guard.apply
