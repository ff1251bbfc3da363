// Advice when the same call comes several times in a row.
'use strict'

const { plugin } = require('./plugin.js')

const guard = plugin('loopguard-node/repeat-reminder', 'repeat-tool-guard', (config, id) => [{ id, name: 'repeat-reminder', config }])

exports.name = guard.name
exports.apply = guard.apply
