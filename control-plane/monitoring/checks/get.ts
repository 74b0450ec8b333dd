import { answerCheck, oneCheck } from './show.ts'
import { checkVerb } from './verb.ts'

export const getCheck = checkVerb({
  method: 'GET',
  suffix: '',
  summary: 'Read a check with what each region saw last',
  needs: 'read',
  returns: oneCheck,
  handle: facts => answerCheck(facts, facts.found.id),
})
