import { notice } from './template.ts'

export const apiTokenCreated = notice('security_api_token_created', 'neutral', {
  en: { subject: 'A new API token', says: 'a token was made that acts in your name.' },
  de: { subject: 'Ein neues API-Token', says: 'es wurde ein Token erstellt, das in Ihrem Namen handelt.' },
})
