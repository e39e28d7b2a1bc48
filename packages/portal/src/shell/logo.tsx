import { basePath } from '../settings.js';

export const Logo = () => <img src={`${basePath}/favicon.svg`} width={28} height={28} alt="" />;
