// The native module itself, which the package does not show.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

export const native = require(join(dirname(require.resolve('loopguard-node')), 'native.js'))

/** Makes these functions of the native module throw, for as long as the test lasts. */
export function breakDown(test, names) {
  for (const name of names) {
    const place = name in native ? native : native.Session.prototype
    test.mock.method(place, name, () => {
      throw new Error(`${name} fell over`)
    })
  }
}
