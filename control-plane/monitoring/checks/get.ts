import { checkEndpoint } from './check-endpoint.ts'
import { answerCheck, oneCheck } from './show.ts'

export const getCheck = checkEndpoint({
  method: 'GET',
  suffix: '',
  summary: 'Get a check with the newest result of each region',
  needs: 'read',
  returns: oneCheck,
  handle: context => answerCheck(context, context.found.id),
})
