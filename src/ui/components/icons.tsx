import { directionalIcon, pathIcon } from './icon.tsx'

export const ArrowIcon = directionalIcon('M4 12h16m-6-6 6 6-6 6')
export const BackIcon = directionalIcon('M20 12H4m6-6-6 6 6 6')
export const ChevronIcon = pathIcon('m6 9 6 6 6-6')
export const ChatIcon = pathIcon('M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5')
export const CheckIcon = pathIcon('m5 12.5 4.5 4.5L19 7.5')
export const CloseIcon = pathIcon('M6 6l12 12M18 6 6 18')
export const CloudIcon = pathIcon('M7 19a4.5 4.5 0 0 1-.6-8.96 6 6 0 0 1 11.5 1.5A3.8 3.8 0 0 1 17.5 19z')
export const CodeIcon = pathIcon('m8 7-5 5 5 5m8-10 5 5-5 5m-3-13-2 16')
export const DownloadIcon = pathIcon('M12 4v11m-5-5 5 5 5-5M5 20h14')
export const EditIcon = pathIcon('m4 20 1-4.5L16.5 4l3.5 3.5L8.5 19zM14 6.5 17.5 10')
export const ExternalIcon = pathIcon('M9 5H5v14h14v-4m-6-10h6v6m0-6-9 9')
export const LockIcon = pathIcon('M6 11h12v9H6zm2 0V8a4 4 0 0 1 8 0v3m-4 4v1.5')
export const MailIcon = pathIcon('M3.5 6h17v12h-17zm0 .5L12 13l8.5-6.5')
export const MenuIcon = pathIcon('M4 7h16M4 12h16M4 17h16')
export const MinusIcon = pathIcon('M5 12h14')
export const MoonIcon = pathIcon('M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z')
export const PauseIcon = pathIcon('M8 5v14m8-14v14')
export const PersonIcon = pathIcon('M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm-7.5 8a7.5 7.5 0 0 1 15 0')
export const PhoneIcon = pathIcon(
  'M6 3.5h3l1.5 5-2 1.5a11 11 0 0 0 5.5 5.5l1.5-2 5 1.5v3a2 2 0 0 1-2 2A16 16 0 0 1 4 5.5a2 2 0 0 1 2-2z',
)
export const PlayIcon = pathIcon('M7 4.5v15l12.5-7.5z')
export const PlusIcon = pathIcon('M12 5v14M5 12h14')
export const SearchIcon = pathIcon('M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zm5-2 4.5 4.5')
export const ServerIcon = pathIcon('M4 4h16v7H4zm0 9h16v7H4zm3.5-5.5h.01m-.01 9h.01M12 7.5h4.5m-4.5 9h4.5')
export const ShieldIcon = pathIcon('M12 3.5 5 6v5.5c0 4.5 3 7.5 7 9 4-1.5 7-4.5 7-9V6zM9 12l2.2 2.2L15.2 10')
export const SunIcon = pathIcon(
  'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4',
)
export const TrashIcon = pathIcon('M4 7h16M10 4h4M6.5 7l1 13h9l1-13m-7.5 4v5.5m4-5.5v5.5')
export const UploadIcon = pathIcon('M12 15V4m-5 5 5-5 5 5M5 20h14')
/** A notice on a board, with an exclamation mark. A triangle would mean an error. */
export const HiringIcon = pathIcon('M4 4h16v12.5h-5.5L12 20l-2.5-3.5H4zm8 3.2v3.6m0 2.4v.1')
export const AlertIcon = pathIcon('M12 4 2.8 20h18.4zm0 6v4.5m0 2.6v.1')
