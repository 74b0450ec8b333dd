import { getSignUpChallenge } from './challenge.ts'
import { completeSignUp } from './complete.ts'
import { requestSignUp } from './request.ts'

export const signUp = [getSignUpChallenge, requestSignUp, completeSignUp]
