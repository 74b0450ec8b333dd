export { asciiHostname, bareHost, Hostname, txtLabel, whyRefused } from '#control-plane/base/hostname.ts'
