import { changeCheck } from './change.ts'
import { answerCheck, oneCheck } from './show.ts'
import { checkVerb } from './verb.ts'

export const enableCheck = checkVerb({
  method: 'POST',
  suffix: '/enable',
  summary: 'Enable a check',
  needs: 'write',
  returns: oneCheck,

  async handle(context) {
    await changeCheck(context, context.found, { is_enabled: true })
    return answerCheck(context, context.found.id)
  },
})

export const disableCheck = checkVerb({
  method: 'POST',
  suffix: '/disable',
  summary: 'Disable a check',
  needs: 'write',
  returns: oneCheck,

  async handle(context) {
    await changeCheck(context, context.found, { is_enabled: false })
    return answerCheck(context, context.found.id)
  },
})
