import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface LoginLinkWords {
  title: string
  says: string
  button: string
  sentTitle: string
  sent: string
  code: string
  codeHint: string
  wrongCode: string
  open: string
  openButton: string
  needsScript: string
  notOpen: string
  again: string
  byPassword: string
}

export const loginLinkWords: Record<PageLanguage, LoginLinkWords> = {
  en: {
    title: 'Sign in by mail',
    says: 'Enter the address of your account. We mail you a link and a code that sign you in, without a password.',
    button: 'Mail me a link',
    sentTitle: 'Check your mails',
    sent:
      'If this address has an account that can be entered this way, a mail is on its way to it. Open its link in ' +
      'this browser, or enter its code here. It works for 15 minutes.',
    code: 'Code of the mail',
    codeHint: 'Six digits. After three wrong codes only the link works.',
    wrongCode: 'This code is wrong, too old, or was used already.',
    open: 'Do you want to sign in in this browser?',
    openButton: 'Sign in',
    needsScript:
      'This link needs JavaScript. Without it, enter the code of the mail in the page where you asked for it.',
    notOpen:
      'This link is too old, was used already, or was asked for in another browser. Open it there, enter its code ' +
      'there, or ask for a new one.',
    again: 'Ask for a new link',
    byPassword: 'Back to sign in',
  },
  de: {
    title: 'Per Mail anmelden',
    says:
      'Geben Sie die Adresse Ihres Kontos ein. Wir senden Ihnen einen Link und einen Code, die Sie ohne Passwort ' +
      'anmelden.',
    button: 'Link per Mail senden',
    sentTitle: 'Sehen Sie in Ihre Mails',
    sent:
      'Wenn diese Adresse ein Konto hat, das sich so öffnen lässt, ist eine Mail unterwegs. Öffnen Sie den Link in ' +
      'diesem Browser, oder geben Sie den Code hier ein. Er gilt 15 Minuten.',
    code: 'Code aus der Mail',
    codeHint: 'Sechs Ziffern. Nach drei falschen Codes gilt nur noch der Link.',
    wrongCode: 'Dieser Code ist falsch, zu alt oder wurde schon benutzt.',
    open: 'Möchten Sie sich in diesem Browser anmelden?',
    openButton: 'Anmelden',
    needsScript:
      'Dieser Link braucht JavaScript. Ohne JavaScript geben Sie den Code der Mail auf der Seite ein, auf der Sie ' +
      'sie angefordert haben.',
    notOpen:
      'Dieser Link ist zu alt, wurde schon benutzt oder in einem anderen Browser angefordert. Öffnen Sie ihn dort, ' +
      'geben Sie dort den Code ein, oder fordern Sie einen neuen an.',
    again: 'Einen neuen Link anfordern',
    byPassword: 'Zurück zur Anmeldung',
  },
}
