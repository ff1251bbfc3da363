// Loads the native module: the library that `cargo build -p loopguard-node` makes.
'use strict'

const { existsSync } = require('node:fs')
const { join } = require('node:path')

const BESIDE = join(__dirname, 'loopguard.node')

/** Where the library lies: where the environment says, or beside this file. */
function locate() {
  const given = process.env.LOOPGUARD_NODE_ADDON
  if (given) return given
  if (existsSync(BESIDE)) return BESIDE
  throw new Error(
    `loopguard-node: there is no native module at ${BESIDE}. Run \`cargo xtask node\` in the ` +
      'sources, or name the built library in the environment variable LOOPGUARD_NODE_ADDON.',
  )
}

// Not `require`: it would ask for the ending `.node`, which no build gives a library.
process.dlopen(module, locate())
