// All guards of one configuration in one plugin: for settings that concern the whole set.
'use strict'

const { plugin } = require('./plugin.js')

const guard = plugin('loopguard-node/set', 'loopguard', rowsOf)

/** The rows; without any, all three guards. */
function rowsOf(config) {
  const isMapping = typeof config === 'object' && !Array.isArray(config)
  const unknown = isMapping ? Object.keys(config).filter((key) => key !== 'rows') : []
  if (!isMapping || unknown.length > 0) {
    const found = JSON.stringify(isMapping ? unknown[0] : config)
    throw new Error(`loopguard-node/set: found ${found}, allowed is a mapping with the key rows`)
  }
  return config.rows ?? []
}

exports.name = guard.name
exports.apply = guard.apply
