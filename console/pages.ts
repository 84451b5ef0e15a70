/** The pages of the console: where each is, who may see it, and what it is called. */
import type { ComponentType } from 'react'
import type { IconName } from './parts/icon.tsx'
import type { Translated } from './words/translated.ts'

type Group = 'top' | 'calls' | 'team' | 'developers' | 'credit' | 'account'

export type ConsolePage = {
  path: string
  name: Translated<string>
  icon: IconName
  group: Group
  /** Else everybody. */
  adminOnly?: true
  /** Pages below another, such as one call, are not in the navigation. */
  hidden?: true
  /** Without navigation and phone. */
  bare?: true
  load: () => Promise<{ default: ComponentType }>
}

export const groups: Record<Group, Translated<string> | undefined> = {
  top: undefined,
  calls: { pt: 'Chamadas', en: 'Calls' },
  team: { pt: 'Equipe', en: 'Team' },
  developers: { pt: 'Desenvolvedores', en: 'Developers' },
  credit: { pt: 'Créditos', en: 'Credit' },
  account: { pt: 'Conta', en: 'Account' },
}

export const pages: ConsolePage[] = [
  {
    path: '/overview',
    name: { pt: 'Visão geral', en: 'Overview' },
    icon: 'home',
    group: 'top',
    load: () => import('./pages/overview/overview.tsx'),
  },
  {
    path: '/calls',
    name: { pt: 'Histórico', en: 'History' },
    icon: 'calls',
    group: 'calls',
    load: () => import('./pages/calls/history.tsx'),
  },
  {
    path: '/calls/:id',
    name: { pt: 'Chamada', en: 'Call' },
    icon: 'calls',
    group: 'calls',
    hidden: true,
    load: () => import('./pages/calls/call.tsx'),
  },
  {
    path: '/live',
    name: { pt: 'Ao vivo', en: 'Live' },
    icon: 'live',
    group: 'calls',
    load: () => import('./pages/live/live.tsx'),
  },
  {
    path: '/live/wall',
    name: { pt: 'Painel de parede', en: 'Wall view' },
    icon: 'live',
    group: 'calls',
    hidden: true,
    bare: true,
    load: () => import('./pages/live/wall.tsx'),
  },
  {
    path: '/phone',
    name: { pt: 'Telefone', en: 'Phone' },
    icon: 'phone',
    group: 'calls',
    load: () => import('./pages/phone/phone.tsx'),
  },
  {
    path: '/missed',
    name: { pt: 'Perdidas', en: 'Missed' },
    icon: 'in',
    group: 'calls',
    load: () => import('./pages/missed/missed.tsx'),
  },
  {
    path: '/contacts',
    name: { pt: 'Contatos', en: 'Contacts' },
    icon: 'users',
    group: 'calls',
    load: () => import('./pages/contacts/contacts.tsx'),
  },
  {
    path: '/reports',
    name: { pt: 'Relatórios', en: 'Reports' },
    icon: 'reports',
    group: 'calls',
    adminOnly: true,
    load: () => import('./pages/reports/reports.tsx'),
  },
  {
    path: '/extensions',
    name: { pt: 'Ramais', en: 'Extensions' },
    icon: 'extensions',
    group: 'team',
    load: () => import('./pages/extensions/extensions.tsx'),
  },
  {
    path: '/users',
    name: { pt: 'Usuários', en: 'Users' },
    icon: 'users',
    group: 'team',
    adminOnly: true,
    load: () => import('./pages/users/users.tsx'),
  },
  {
    path: '/numbers',
    name: { pt: 'Números', en: 'Numbers' },
    icon: 'numbers',
    group: 'team',
    adminOnly: true,
    load: () => import('./pages/numbers/numbers.tsx'),
  },
  {
    path: '/integrations',
    name: { pt: 'Integrações', en: 'Integrations' },
    icon: 'integrations',
    group: 'developers',
    load: () => import('./pages/integrations/integrations.tsx'),
  },
  {
    path: '/integrations/:id',
    name: { pt: 'Integração', en: 'Integration' },
    icon: 'integrations',
    group: 'developers',
    hidden: true,
    load: () => import('./pages/integrations/integration.tsx'),
  },
  {
    path: '/events',
    name: { pt: 'Eventos', en: 'Events' },
    icon: 'audit',
    group: 'developers',
    load: () => import('./pages/events/events.tsx'),
  },
  {
    path: '/events/catalogue',
    name: { pt: 'Catálogo de eventos', en: 'Catalogue of events' },
    icon: 'audit',
    group: 'developers',
    hidden: true,
    load: () => import('./pages/events/catalogue.tsx'),
  },
  {
    path: '/tokens',
    name: { pt: 'Tokens', en: 'Tokens' },
    icon: 'tokens',
    group: 'developers',
    load: () => import('./pages/tokens/tokens.tsx'),
  },
  {
    path: '/api',
    name: { pt: 'API', en: 'API' },
    icon: 'api',
    group: 'developers',
    load: () => import('./pages/api/api.tsx'),
  },
  {
    path: '/requests',
    name: { pt: 'Requisições', en: 'Requests' },
    icon: 'search',
    group: 'developers',
    adminOnly: true,
    load: () => import('./pages/requests/requests.tsx'),
  },
  {
    path: '/credit',
    name: { pt: 'Saldo e extrato', en: 'Balance' },
    icon: 'credit',
    group: 'credit',
    adminOnly: true,
    load: () => import('./pages/credit/credit.tsx'),
  },
  {
    path: '/fiscal',
    name: { pt: 'Dados fiscais', en: 'Billing details' },
    icon: 'fiscal',
    group: 'credit',
    adminOnly: true,
    load: () => import('./pages/fiscal/fiscal.tsx'),
  },
  {
    path: '/audit',
    name: { pt: 'Auditoria', en: 'Audit' },
    icon: 'audit',
    group: 'account',
    adminOnly: true,
    load: () => import('./pages/audit/audit.tsx'),
  },
  {
    path: '/settings',
    name: { pt: 'Configurações', en: 'Settings' },
    icon: 'settings',
    group: 'account',
    adminOnly: true,
    load: () => import('./pages/settings/settings.tsx'),
  },
  {
    path: '/profile',
    name: { pt: 'Perfil', en: 'Profile' },
    icon: 'profile',
    group: 'account',
    load: () => import('./pages/profile/profile.tsx'),
  },
]
