import { changeCheck } from './change.ts'
import { answerCheck, oneCheck } from './show.ts'
import { checkVerb } from './verb.ts'

export const enableCheck = checkVerb({
  method: 'POST',
  suffix: '/enable',
  summary: 'Look again with a check',
  needs: 'write',
  returns: oneCheck,

  async handle(facts) {
    await changeCheck(facts, facts.found, { is_enabled: true })
    return answerCheck(facts, facts.found.id)
  },
})

export const disableCheck = checkVerb({
  method: 'POST',
  suffix: '/disable',
  summary: 'Look no more with a check, until it is enabled again',
  needs: 'write',
  returns: oneCheck,

  async handle(facts) {
    await changeCheck(facts, facts.found, { is_enabled: false })
    return answerCheck(facts, facts.found.id)
  },
})
