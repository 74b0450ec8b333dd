/** How long a session lives that was opened at a provider: so long a person who has left there stays signed in. */
export const sessionHours = 8
