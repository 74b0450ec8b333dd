import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface StepUpWords {
  title: string
  says: string
  password: string
  code: string
  codeHint: string
  codeNeeded: string
  button: string
  back: string
}

export const stepUpWords: Record<PageLanguage, StepUpWords> = {
  en: {
    title: 'Confirm that it is you',
    says: 'Your sign-in is more than ten minutes old, and what you want to do needs you to be present.',
    password: 'Password',
    code: 'Code',
    codeHint: 'Six digits of your authenticator app, or one of your recovery codes.',
    codeNeeded: 'Enter the code of your second factor too.',
    button: 'Confirm',
    back: 'Back without confirming',
  },
  de: {
    title: 'Bestätigen Sie, dass Sie es sind',
    says: 'Ihre Anmeldung ist mehr als zehn Minuten her, und dafür müssen Sie selbst da sein.',
    password: 'Passwort',
    code: 'Code',
    codeHint: 'Sechs Ziffern Ihrer Authenticator-App oder einer Ihrer Wiederherstellungscodes.',
    codeNeeded: 'Geben Sie auch den Code Ihres zweiten Faktors ein.',
    button: 'Bestätigen',
    back: 'Zurück, ohne zu bestätigen',
  },
}
