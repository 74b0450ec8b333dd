import { notice } from './template.ts'

export const apiTokenRevoked = notice('security_api_token_revoked', 'neutral', {
  en: { subject: 'An API token was revoked', says: 'a token that acted in your name no longer works.' },
  de: { subject: 'Ein API-Token wurde widerrufen', says: 'ein Token, das in Ihrem Namen handelte, gilt nicht mehr.' },
})
