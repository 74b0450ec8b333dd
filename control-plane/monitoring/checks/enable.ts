import { changeCheck } from './change.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { answerCheck, oneCheck } from './show.ts'

export const enableCheck = checkEndpoint({
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

export const disableCheck = checkEndpoint({
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
