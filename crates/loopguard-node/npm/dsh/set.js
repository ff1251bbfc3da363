// All guards of one configuration in one plugin: for settings that concern the whole set.
'use strict'

const { plugin } = require('./plugin.js')

const guard = plugin('loopguard-node/set', 'loopguard', (config) => config.rows ?? [])

exports.name = guard.name
exports.apply = guard.apply
