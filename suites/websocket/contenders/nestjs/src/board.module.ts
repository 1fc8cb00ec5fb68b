import { Module } from '@nestjs/common';

import { BoardGateway } from './board.gateway.js';
import { Boards } from './boards.js';

@Module({ providers: [Boards, BoardGateway] })
export class BoardModule {}
