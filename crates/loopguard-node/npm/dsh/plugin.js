// Guards as a plugin of the DeepSeek Harness: what the harness's events mean to them.
'use strict'

const { Guards } = require('../index.js')
const { ArgumentTexts } = require('./argument-texts.js')
const { Counting } = require('./counting.js')
const { Guarding } = require('./guarding.js')
const { Hearing } = require('./hearing.js')

/**
 * Makes a plugin.
 *
 * @param module the module's name, as a row of a profile gives it: for messages.
 * @param defaultId the id of the guard where its row in the profile is not known.
 * @param rowsOf the guards' rows, from the plugin's configuration and the row's id.
 */
function plugin(module, defaultId, rowsOf) {
  const apply = (ctx, config) => {
    const id = ctx.fiber?.entry?.options?.id ?? defaultId
    const report = reporter(ctx, module)
    // Throws where the configuration is wrong, and so refuses to load.
    const guards = new Guards(rowsOf(config ?? {}, id), { file: module, onError: report })
    guards.warnings.forEach((warning) => log(ctx, warning))
    const Watching = guards.onlyCountCalls ? Counting : Guarding
    new Watching(guards, new ArgumentTexts(ctx), report).listen(ctx)
    new Hearing(guards, report).listen(ctx)
  }
  return { name: module, apply }
}

/** Reports the first failure of a plugin; what fails once fails with every call. */
function reporter(ctx, module) {
  let reported = false
  return (error) => {
    if (!reported) log(ctx, `${module} failed, and lets calls through: ${error}`)
    reported = true
  }
}

function log(ctx, text) {
  try {
    ctx.logger.warn(text)
  } catch {
    process.emitWarning(text, 'LoopguardWarning')
  }
}

module.exports = { plugin }
