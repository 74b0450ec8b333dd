import { answerCheck, oneCheck } from './show.ts'
import { checkVerb } from './verb.ts'

export const getCheck = checkVerb({
  method: 'GET',
  suffix: '',
  summary: 'Get a check with the newest result of each region',
  needs: 'read',
  returns: oneCheck,
  handle: context => answerCheck(context, context.found.id),
})
