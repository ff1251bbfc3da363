// The native module itself, which the package does not show.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

export const native = require(join(dirname(require.resolve('loopguard-node')), 'native.js'))
