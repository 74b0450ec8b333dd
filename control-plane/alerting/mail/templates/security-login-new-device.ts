import { notice } from './template.ts'

export const loginNewDevice = notice('security_login_new_device', 'warning', {
  en: {
    subject: 'Sign-in from a new device',
    says: 'somebody signed in to your account from a device that we do not know yet.',
    details: [['Device', '{{ device }}']],
  },
  de: {
    subject: 'Anmeldung von einem neuen Gerät',
    says: 'jemand hat sich von einem Gerät bei Ihrem Konto angemeldet, das wir noch nicht kennen.',
    details: [['Gerät', '{{ device }}']],
  },
})
