import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface FactorWords {
  title: string
  says: string
  password: string
  begin: string
  back: string
  enter: string
  open: string
  code: string
  confirm: string
  doneTitle: string
  done: string
  kept: string
}

export const factorWords: Record<PageLanguage, FactorWords> = {
  en: {
    title: 'Set up a second factor',
    says: 'You need an authenticator app. After that, each sign-in asks for a code of it beside your password.',
    password: 'Your password',
    begin: 'Continue',
    back: 'Back to your account',
    enter: 'Enter this key in your authenticator app, or open the app on this device:',
    open: 'Open the authenticator app',
    code: 'Code that the app shows',
    confirm: 'Switch it on',
    doneTitle: 'The second factor is on',
    done: 'Keep these recovery codes in a safe place. Each replaces a code once. They are shown only now.',
    kept: 'I have kept them',
  },
  de: {
    title: 'Zweiten Faktor einrichten',
    says:
      'Sie brauchen eine Authenticator-App. Danach fragt jede Anmeldung neben Ihrem Passwort nach ' +
      'einem Code der App.',
    password: 'Ihr Passwort',
    begin: 'Weiter',
    back: 'Zurück zu Ihrem Konto',
    enter: 'Geben Sie diesen Schlüssel in Ihrer Authenticator-App ein, oder öffnen Sie die App auf diesem Gerät:',
    open: 'Authenticator-App öffnen',
    code: 'Code, den die App zeigt',
    confirm: 'Einschalten',
    doneTitle: 'Der zweite Faktor ist an',
    done:
      'Bewahren Sie diese Wiederherstellungscodes sicher auf. Jeder ersetzt einmal einen Code. ' +
      'Sie werden nur jetzt gezeigt.',
    kept: 'Ich habe sie aufbewahrt',
  },
}
