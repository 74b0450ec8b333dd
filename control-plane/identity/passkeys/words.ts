import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface PasskeyWords {
  signIn: string
  confirm: string
  failed: string
  title: string
  says: string
  none: string
  made: (at: string) => string
  used: (at: string) => string
  neverUsed: string
  add: string
  needsScript: string
  unsupported: string
  name: string
  rename: string
  remove: string
  renameOf: (name: string) => string
  removeOf: (name: string) => string
  back: string
  done: string
}

export const passkeyWords: Record<PageLanguage, PasskeyWords> = {
  en: {
    signIn: 'Sign in with a passkey',
    confirm: 'Confirm with a passkey',
    failed: 'That did not work. Try again, or use another way to sign in.',
    title: 'Passkeys',
    says: 'A passkey signs you in with your fingerprint, your face or the PIN of your device, without a password.',
    none: 'You have no passkey.',
    made: at => `made ${at}`,
    used: at => `last used ${at}`,
    neverUsed: 'not used yet',
    add: 'Add a passkey',
    needsScript: 'Adding a passkey needs JavaScript.',
    unsupported: 'This browser has no passkeys.',
    name: 'Name',
    rename: 'Rename',
    remove: 'Remove',
    renameOf: name => `Rename ${name}`,
    removeOf: name => `Remove ${name}`,
    back: 'Your account',
    done: 'Your passkeys have changed.',
  },
  de: {
    signIn: 'Mit einem Passkey anmelden',
    confirm: 'Mit einem Passkey bestätigen',
    failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    title: 'Passkeys',
    says: 'Ein Passkey meldet Sie mit Fingerabdruck, Gesicht oder PIN Ihres Geräts an, ohne Passwort.',
    none: 'Sie haben keinen Passkey.',
    made: at => `angelegt ${at}`,
    used: at => `zuletzt benutzt ${at}`,
    neverUsed: 'noch nicht benutzt',
    add: 'Passkey hinzufügen',
    needsScript: 'Ein Passkey lässt sich nur mit JavaScript hinzufügen.',
    unsupported: 'Dieser Browser hat keine Passkeys.',
    name: 'Name',
    rename: 'Umbenennen',
    remove: 'Entfernen',
    renameOf: name => `${name} umbenennen`,
    removeOf: name => `${name} entfernen`,
    back: 'Ihr Konto',
    done: 'Ihre Passkeys wurden geändert.',
  },
}
