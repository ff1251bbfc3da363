// Advice on cumulative repeats, sequences and duplicated text; denial where it is allowed to.
'use strict'

const { plugin } = require('./plugin.js')

const guard = plugin('loopguard-node/brake', 'dsh-brake', (config, id) => [{ id, name: 'brake', config }])

exports.name = guard.name
exports.apply = guard.apply
